"""The experiment as the lab shows it: a table that grows during training, four panels, and the matrix M taken apart."""

import html
from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import display, update_display

from encoding_labs.order_for_attention import experiment
from encoding_labs.order_for_attention.experiment import BACK, HEADS, LONG, SHORT, SINUSOIDAL, STEPS, WORDS, D
from labkit.student.notebook.figures import show
from labkit.student.notebook.language import deferred
from labkit.student.notebook.language import translated as _
from labkit.student.notebook.messages import tell
from minimodel.positional.sinusoidal import sinusoidal_pe

BY_HAND = deferred("your look_back")
PLACE = "heads that learn"  # display id of the table during training
LINES = dict(  # colour and style of each head
    zip(HEADS, (("0.35", ":"), ("#F2560A", "-."), ("#0072B2", "-"), ("#150B7A", "--"), ("#782A18", (0, (1, 1)))))
)
MEANING = (
    deferred(
        "Without positions, a head can only name the commonest word. The learned table is fastest: its loss is below 0.10 after "
        "16 steps, the rotary head's after 146, the sinusoidal head's after 294. Of the four that learn the task, the learned table does worst on longer texts, because its rows "
        "from 32 on were never trained."
    ),
    deferred(
        "The sinusoidal head has a row for every position, but still fails at some: it is right 0.73 of the time at positions 32 "
        "to 63, 0.92 at 64 to 95, and 0.95 at 96 to 127. With random starts, still in texts of 32 words, it sees those rows in "
        "training and is right everywhere. So it isn't enough for a row to exist: the head must have learned to read it."
    ),
    deferred(
        "The rotary head is right everywhere because the task asks for an offset, and an offset is all that its one vector can "
        "express. All these numbers are for this setup: other lengths, dimensions and bases give different ones."
    ),
)


def watch(look_back, guesses: Mapping[str, tuple]) -> None:
    """Train the five heads and show their progress. Then show the fraction of words that each gets right, next to the guess."""
    rows = {BY_HAND: (_("nothing to learn"), *map("{:.2f}".format, by_hand(look_back)))}
    rows |= dict.fromkeys(HEADS, (_("waiting"), "", ""))

    started = dict.fromkeys(("text/html", "text/plain"), _("Five heads learn, {steps:,} steps each.", steps=STEPS))

    def report(name: str, losses: list[float]) -> None:
        done = _("step {step:,} of {steps:,}: loss {loss:.2f}", step=len(losses), steps=STEPS, loss=losses[-1])
        rows[name] = (done, "", "")
        update_display(as_table(rows, guesses), display_id=PLACE, raw=True)

    display(started, display_id=PLACE, raw=True)
    for name, head in experiment.trained(report).items():
        losses = _("loss {first:.2f} to {last:.3f}", first=head.losses[0], last=head.losses[-1])
        rows[name] = (losses, f"{head.short.mean():.2f}", f"{head.long.mean():.2f}")
    update_display(started, display_id=PLACE, raw=True)
    table = as_table(rows, guesses, tuple(_(text) for text in MEANING))
    tell(table["text/plain"], table["text/html"])


def by_hand(look_back) -> list[float]:
    """The fraction of words that the student's own head gets right, in short texts and in long ones."""
    return [experiment.share_right(look_back(sinusoidal_pe(T, D), BACK, 4)).mean() for T in (SHORT, LONG)]


def as_table(rows: Mapping[str, tuple], guesses: Mapping[str, tuple], words: tuple[str, ...] = ()) -> dict[str, str]:
    """Make a table as HTML and plain text. Each line has a head's fractions with the student's guesses; `words` come below."""
    lines = [(_("head"), _("training"), *(_("right at {length}", length=T) for T in (SHORT, LONG)))]
    for name, (training, *shares) in rows.items():
        beside = (
            share if guess is None or not share else _("{share} (you: {guess})", share=share, guess=guess)
            for share, guess in zip(shares, guesses.get(name, (None, None)))
        )
        lines.append((_(name), training, *beside))
    cells = ("".join(f'<td style="text-align: left">{html.escape(each)}</td>' for each in line) for line in lines)
    table = "".join(f"<tr>{line}</tr>" for line in cells)
    return {
        "text/html": f"<table>{table}</table>" + "".join(f"<p>{html.escape(each)}</p>" for each in words),
        "text/plain": "\n".join([" | ".join(line) for line in lines] + [*words]),
    }


def curves(look_back) -> None:
    """Plot the loss, the fraction correct by position, where the sinusoidal head looks, and the angles that it learned."""
    heads = experiment.trained()
    figure, ((loss, share), (weights, angles)) = plt.subplots(2, 2, figsize=(9, 8))
    for name, (colour, style) in LINES.items():
        loss.plot(heads[name].losses, linestyle=style, color=colour, label=_(name))
        share.plot(np.arange(BACK, LONG), heads[name].long, linestyle=style, color=colour)
    right = experiment.share_right(look_back(sinusoidal_pe(LONG, D), BACK, 4))
    share.plot(np.arange(BACK, LONG), right, color="0.55", lw=8, zorder=0, label=_(BY_HAND))
    loss.set(xlabel=_("step"), ylabel=_("loss"), yscale="log", title=_("Four of the five learn the task"))
    share.axvline(SHORT, color="black", lw=1)
    share.text(SHORT - 4, 0.55, _("end of training texts"), rotation=90, ha="right", va="center")
    share.axhline(1 / WORDS, color="black", lw=1)
    share.text(LONG, 1 / WORDS - 0.02, _("chance"), va="top", ha="right")
    share.set(
        xlabel=_("position"), ylabel=_("fraction correct"), ylim=(0, 1.05), title=_("Beyond 32, two of them fail")
    )
    figure.legend(loc="outside lower center", ncols=3)
    looks_at(weights, experiment.softmax(heads[SINUSOIDAL].head.scores(slice(0, LONG))))
    figure.colorbar(weights.images[0], ax=weights, label=_("weight"))
    learned_angles(angles, experiment.turns(heads[SINUSOIDAL].head.m))
    show(
        figure,
        alt=_(
            "Four panels. Top left, the loss against the step, on a log axis: without positions it stays near 2; the "
            "learned table's falls first, then the rotary head's, then those of both sinusoidal heads, which coincide. "
            "Top right, the fraction of correct answers by position in texts of 128, with a line at 32: sinusoidal with "
            "random starts, rotary and your look_back are at 1 throughout; from 32 on the learned table is near chance,"
            " 0.125; the head without positions is a little above chance everywhere; the sinusoidal head falls below "
            "0.5 near positions 34 to 46, 79 and 115, and is at 1 in between. Bottom left, the weights of the "
            "sinusoidal head, 128 positions by 128: in a box around the first 32 there is one line, 3 below the "
            "diagonal; outside it the line goes on, pale in places, with faint stray weights far from it. Bottom right, the "
            "angle of each pair in M against 3 ω for the six strongest pairs: the dots are on the line of equality, the"
            " first four to within a degree, and the fastest pairs are the largest dots."
        ),
    )


def looks_at(ax, weights: np.ndarray) -> None:
    ax.imshow(weights, cmap="Greys", vmin=0, vmax=1)
    ax.add_patch(plt.Rectangle((-0.5, -0.5), SHORT, SHORT, fill=False, ec="#F2560A", lw=2.5))
    ax.text(SHORT + 3, 8, _("seen in training"), color="#B33C00")
    ax.set(
        xlabel=_("key position"),
        ylabel=_("query position"),
        title=_("Sinusoidal head: one line, and strays"),
    )
    ax.grid(False)


def learned_angles(ax, turns: np.ndarray) -> None:
    """Plot the angles of pairs with a strength above 0.1 against the angles of a shift by BACK."""
    strong = np.abs(turns) > 0.1
    wanted = np.degrees(BACK * 10000.0 ** (-2 * np.arange(D // 2) / D))[strong]
    found, strength = np.degrees(np.angle(turns))[strong], np.abs(turns)[strong]
    ax.plot((0, 180), (0, 180), color="0.5", lw=1.5, zorder=0)
    ax.scatter(wanted, found, s=60 * strength, color="#0072B2")
    for k in range(4):
        ax.annotate(_("pair {k}", k=k), (wanted[k], found[k]), (14, -14), textcoords="offset points", va="center")
    ax.set(
        xlabel=_("3 ω of the pair, degrees"),
        ylabel=_("angle learned, degrees"),
        title=_("M turns the strong pairs by 3 ω"),
    )
    ax.set(xlim=(-5, 215), ylim=(-10, 195), xticks=range(0, 181, 45), yticks=range(0, 181, 45))


def matrix(look_back) -> None:
    """Show the matrix M of the sinusoidal head: its corner, the rotations in its diagonal blocks, and the rest."""
    by_hand(look_back)  # raises an error if look_back is not written: until then, M is still to be guessed
    m = experiment.trained()[SINUSOIDAL].head.m
    rotations = experiment.rotation_part(m)
    part = (rotations**2).sum() / (m**2).sum()
    figure, axes = plt.subplots(1, 3, figsize=(11, 4.8))
    titles = (
        "M",
        _("its rotations: {part:.0f} % of its square", part=100 * part),
        _("the rest, {rest} times as strong", rest=REST),
    )
    for ax, title, values, factor in zip(axes, titles, (m, rotations, m - rotations), (1, 1, REST)):
        limit = np.abs(m).max() / factor
        pairs(ax, values[:CORNER, :CORNER], limit)
        ax.set(title=title, xlabel=_("dimension of the key"))
        figure.colorbar(ax.images[0], ax=ax, location="bottom")
    axes[0].set_ylabel(_("dimension of the query"))
    show(
        figure,
        alt=_(
            "Three heatmaps of the first {corner} dimensions by {corner}. M: a block of two by two for each pair "
            "down the diagonal, strongest at the top left and pale from pair 4 on, with faint entries around the "
            "blocks of pairs 2 to 6. Its rotations: the blocks alone, {part:.0f} % of the sum of squares. The rest, "
            "in colours {rest} times as strong: entries of both signs, largest in and between the blocks of pairs "
            "2, 3 and 4.",
            corner=CORNER,
            part=100 * part,
            rest=REST,
        ),
    )


CORNER, REST = 16, 8  # dimensions shown; factor that makes the rest visible


def pairs(ax, values: np.ndarray, limit: float) -> None:
    """Draw a heatmap with a thin line around each pair's block."""
    ax.imshow(values, cmap="RdBu_r", vmin=-limit, vmax=limit)
    edges = np.arange(-0.5, len(values), 2)
    ax.hlines(edges, -0.5, len(values) - 0.5, color="0.8", lw=0.8)
    ax.vlines(edges, -0.5, len(values) - 0.5, color="0.8", lw=0.8)
    ax.set(xticks=range(0, len(values), 4), yticks=range(0, len(values), 4))
    ax.grid(False)


def _guessed(values: np.ndarray):
    """Draw one of the four pictures of M that students choose from."""

    def draw(ax) -> None:
        pairs(ax, values, np.abs(values).max())
        ax.set(xticks=(), yticks=())

    return draw


def _blocks() -> np.ndarray:
    turn = 0.7 ** np.arange(6) * np.exp(3j * 10000.0 ** (-np.arange(6) / 16))
    m = np.zeros((12, 12))
    for k, z in enumerate(turn):
        m[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = [[z.real, z.imag], [-z.imag, z.real]]
    return m


DIAGONAL = _guessed(np.diag(0.8 ** np.arange(12)))
SHIFTED = _guessed(np.eye(12, k=-BACK))
BLOCKS = _guessed(_blocks())
EVERYWHERE = _guessed(np.random.default_rng(0).normal(size=(12, 12)))
