"""Ways to number the words of a text, and four tests, each of which one of lab 01's four ways fails."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping

import matplotlib.pyplot as plt
import numpy as np

from labkit.notebook import reveal, show
from labkit.student.notebook.language import deferred
from labkit.student.notebook.language import translated as _
from labkit.student.notebook.messages import card, laid_out, paragraphs, tell

Candidate = Callable[[int, int], list[float]]  # the row of position p in a text of T words
LONG, SHORT, SHOWN = 1000, 10, 16  # words in a text, and rows in the picture
TESTS = (
    deferred("1: largest entry"),
    deferred("2: step from 7 to 8, of 10 / of 1,000"),
    deferred("3: rows 0 and 15 / 7 and 8"),
    deferred("4: off by"),
)
LOSERS = {  # in the order of the tests
    "1": ("A", deferred("Its largest entry is 999, and it would drown the entries of a word's vector.")),
    "2": ("B", deferred("A step is a hundred times smaller in the longer text, so no step means “the next word”.")),
    "3": ("C", deferred("From 7 to 8 all four digits change, as from 0 to 15: neighbours look far apart.")),
    "4": ("C", deferred("The best matrix and constant row are off by up to 1.01. For A, B and D they are exact.")),
}


def rows(candidate: Candidate, T: int) -> np.ndarray:
    return np.array([candidate(p, T) for p in range(T)], dtype=float).reshape(T, -1)


def measured(candidate: Candidate) -> tuple[tuple[float, ...], ...]:
    """What the four tests measure, in the order of `TESTS`."""
    short, long = rows(candidate, SHORT), rows(candidate, LONG)

    def apart(table: np.ndarray, p: int, q: int) -> float:
        return float(np.linalg.norm(table[p] - table[q]))

    steps = apart(short, 7, 8), apart(long, 7, 8)
    return (float(np.abs(long).max()),), steps, (apart(long, 0, 15), apart(long, 7, 8)), (off_by(long),)


def off_by(table: np.ndarray, offset: int = 3) -> float:
    """The largest error of the linear layer (least squares) that takes each row to the row `offset` further."""
    inputs = np.c_[table[:-offset], np.ones(len(table) - offset)]  # a layer adds a constant
    layer = np.linalg.lstsq(inputs, table[offset:], rcond=None)[0]
    return float(np.abs(inputs @ layer - table[offset:]).max())


def draw(candidates: Mapping[str, Candidate]) -> None:
    """Draw the first rows of each candidate: white is 0, and the darkest red its largest entry."""
    figure, axes = plt.subplots(1, len(candidates), figsize=(2.2 * len(candidates), 3.4), sharey=True)
    told = []
    for ax, (letter, candidate) in zip(axes, candidates.items()):
        table = rows(candidate, SHOWN)
        most = np.abs(table).max()
        ax.imshow(table, cmap="RdBu_r", vmin=-most, vmax=most, aspect="auto")
        ax.set(xticks=range(0, table.shape[1], 3), xlabel=_("column"))
        ax.set_title(letter, fontsize=18, fontweight="bold")
        ax.grid(False)
        told.append(_described(letter, table))
    axes[0].set(ylabel=_("position"), yticks=(0, 7, 8, 15))
    alt = _(
        "The rows of positions 0 to 15 in a text of 16 words, as a heatmap for each candidate. {told}.",
        told="; ".join(told),
    )
    show(figure, alt=alt)


def _described(letter: str, table: np.ndarray) -> str:
    """Say how far a candidate's numbers go, and how often each of its columns changes between rising and falling."""
    ways = [np.sign(step[step != 0]) for step in np.diff(table, axis=0).round(9).T]
    return _(
        "{letter}: from {least:.2g} to {most:.2g}; changes between rising and falling in each column, from the left: {turns}",
        letter=letter,
        least=table.min(),
        most=table.max(),
        turns=", ".join(str(np.count_nonzero(np.diff(way))) for way in ways),
    )


def compare(candidates: Mapping[str, Candidate], guess: object) -> None:
    """Show what the tests measure for every candidate, and which one fails each test, once all four are guessed."""
    if guess is None:
        reveal(None, 0.0)
        return
    letters = re.findall(r"[A-Z]", str(guess).upper())  # of "ABCD", "A, B, C, D" or ["A", "B", "C", "D"]
    if len(letters) != len(LOSERS):
        wanted = _("Write one letter for each of the four tests, such as “DDDD”, and run both cells again.")
        tell(laid_out(wanted), card("note", "", "", paragraphs(wanted)))
        return
    texts = [
        _("Test {number}: you chose {chosen}; {loser} fails.", number=number, chosen=chosen, loser=loser) + " " + _(why)
        for chosen, (number, (loser, why)) in zip(letters, LOSERS.items())
    ]
    cells = {letter: [" / ".join(map(_written, each)) for each in measured(way)] for letter, way in candidates.items()}
    heads = [_(head) for head in TESTS]
    wide = [len(head) + 3 for head in heads]
    plain = [f"{'':3}" + "".join(map(str.ljust, heads, wide))]
    plain += [f"{letter:3}" + "".join(map(str.ljust, row, wide)) for letter, row in cells.items()]
    shown = _table(heads, cells) + card("note", "", "", "".join(map(paragraphs, texts)))
    tell("\n".join(line.rstrip() for line in plain) + "\n" + "\n".join(map(laid_out, texts)), shown)


def _written(number: float) -> str:
    return f"{number:.3g}" if number > 1e-9 else "0"


def _table(heads: list[str], cells: Mapping[str, list[str]]) -> str:
    losers = next(zip(*LOSERS.values()))
    top = "".join(f'<th scope="col">{html.escape(head)}</th>' for head in heads)
    lines = "".join(
        f'<tr><th scope="row">{html.escape(letter)}</th>'
        + "".join(f"<td>{f'<b>✘ {cell}</b>' if letter == loser else cell}</td>" for cell, loser in zip(row, losers))
        + "</tr>"
        for letter, row in cells.items()
    )
    return f"<table><thead><tr><td></td>{top}</tr></thead><tbody>{lines}</tbody></table>"
