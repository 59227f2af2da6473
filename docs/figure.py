"""Draw the README's figure: a right table, three wrong ones, and what the check says. Run: python docs/figure.py

The PNG carries the drawn words as its Description, so that a test can compare them with what the check says today.
"""

import json
from pathlib import Path
from textwrap import fill

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

from encoding_labs import COURSE
from labkit.calls.calling import call_answer
from labkit.judging.words import say
from labkit.notebook.examine import examine
from labkit.notebook.figures import use_style
from minimodel.positional.sinusoidal import sinusoidal_pe

PICTURE = Path(__file__).with_name("names_the_mistake.png")
EXERCISE = COURSE.exercises["sinusoidal_pe"]


def angles(T, d, first=0, exponent=2):
    if T < 0 or d <= 0 or d % 2:
        raise ValueError("size")
    return np.arange(first, T + first)[:, None] / 10000.0 ** (exponent * np.arange(d // 2) / d)


def interleaved(even, odd):
    return np.stack([even, odd], axis=2).reshape(len(even), 2 * even.shape[1]).astype(np.float32)


def swapped(T, d):
    return interleaved(np.cos(angles(T, d)), np.sin(angles(T, d)))


def halves(T, d):
    return np.concatenate([np.sin(angles(T, d)), np.cos(angles(T, d))], axis=1).astype(np.float32)


def wrong_exponent(T, d):
    return interleaved(np.sin(angles(T, d, exponent=1)), np.cos(angles(T, d, exponent=1)))


ANSWERS = (sinusoidal_pe, swapped, halves, wrong_exponent)


def said_of(answer) -> tuple[str, str]:
    """The mistake's id and the check's words."""

    def call(probe):
        return call_answer({EXERCISE.name: answer}, EXERCISE.name, EXERCISE.kind, probe.inputs(), probe.twice)

    examination = examine(COURSE, EXERCISE, call)
    if not examination.findings:
        return "right", examination.line()
    return examination.findings[0].mistake, say(EXERCISE.name, examination.findings[0])


def said() -> list[list[str]]:
    """For each of the four tables the mistake's id and the check's words, as the figure has to show them."""
    return [[name, " ".join(text.split())] for name, text in map(said_of, ANSWERS)]


def drawn(path: Path) -> list[list[str]]:
    """The same, as the picture in this file shows it."""
    with Image.open(path) as picture:
        return json.loads(picture.text.get("Description", "[]"))


@plt.rc_context()
def draw(path: Path) -> None:
    use_style()
    plt.rcParams["font.size"] = 10
    figure, axes = plt.subplots(1, 4, figsize=(14, 4.2), sharey=True)
    for ax, answer, (name, text) in zip(axes, ANSWERS, said()):
        image = ax.imshow(answer(64, 32), cmap="RdBu_r", vmin=-1, vmax=1, aspect="auto")
        ax.set(title=name, xlabel="dimension")
        ax.grid(False)
        words = ax.text(
            0, -0.22, fill(text, 39, break_on_hyphens=False), transform=ax.transAxes, va="top", fontsize=9.5
        )
        words.set_in_layout(False)  # else the columns would make room for their texts one by one
    axes[0].set_ylabel("position")
    figure.colorbar(image, ax=axes, label="value")
    figure.get_layout_engine().set(wspace=0.12)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for ax in axes:
        ax.texts[0].set_in_layout(True)
    shown = [[ax.get_title(loc="left"), " ".join(ax.texts[0].get_text().split())] for ax in axes]
    metadata = {"Software": None, "Description": json.dumps(shown, ensure_ascii=False)}
    figure.savefig(path, dpi=80, bbox_inches="tight", metadata=metadata)
    plt.close(figure)


if __name__ == "__main__":
    draw(PICTURE)
