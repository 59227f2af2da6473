"""What heads learn, as the lab shows it: the film of one, the matrix M taken apart, and all five compared."""

import html

import matplotlib.pyplot as plt
import numpy as np

from encoding_labs.browser import show_scene
from encoding_labs.look_back import experiment
from encoding_labs.look_back.experiment import BACK, HEADS, LONG, SHORT, STEPS, WORDS, D
from labkit.student.notebook.figures import show
from labkit.student.notebook.language import deferred
from labkit.student.notebook.language import translated as _
from labkit.student.notebook.messages import tell
from minimodel.positional.sinusoidal import sinusoidal_pe

BY_HAND = deferred("your look_back")
FILMED = 6  # pairs; later ones stay weak
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


def film(one_look) -> None:
    """Show how the sinusoidal head learns: the turns in M, next to those in the student's one_look, and its attention."""
    asked = experiment.turns(np.asarray(one_look(sinusoidal_pe(LONG, D), BACK)))
    show_scene("film", None, recorded(asked), back=BACK, T=LONG, seen=SHORT)


def recorded(asked: np.ndarray) -> dict:
    """The film's frames: steps, the angle and strength of each pair, attention, and the percentage of rows that look back."""
    table = sinusoidal_pe(LONG, D).astype(np.float64)
    turns, weights, right = [], [], []
    for m in experiment.filmed().values():
        turn = experiment.turns(m)[:FILMED]
        turns.append(np.stack([np.angle(turn).round(4), np.abs(turn).round(3)], axis=1).tolist())
        attention = experiment.softmax(table @ m @ table.T)
        weights.append(shades(attention))
        looks_back = attention[BACK:].argmax(axis=1) == np.arange(LONG - BACK)
        right.append(round(100 * looks_back.mean()))
    return {
        "pairs": FILMED,
        "steps": experiment.FRAMES,
        "turns": turns,
        "asked": np.angle(asked)[:FILMED].round(4).tolist(),
        "weights": weights,
        "right": right,
    }


def shades(attention: np.ndarray) -> list[str]:
    """The cells of each shade from 2 to 9, which is ten times the root of the weight. A cell counts on from the one before."""
    shade = np.minimum(10 * np.sqrt(attention.ravel()), 9).astype(int)
    return [
        " ".join(np.base_repr(step, 36) for step in np.diff(np.flatnonzero(shade == each), prepend=0))
        for each in range(2, 10)
    ]


def by_hand(look_back) -> list[float]:
    """The fraction of words that the student's own head gets right, in short texts and in long ones."""
    return [experiment.share_right(look_back(sinusoidal_pe(T, D), BACK, 4)).mean() for T in (SHORT, LONG)]


def curves(look_back) -> None:
    """Plot the loss of five heads, and their fraction correct by position. Then say what the curves mean."""
    by_position = experiment.share_right(look_back(sinusoidal_pe(LONG, D), BACK, 4))
    heads = experiment.trained()
    figure, (loss, share) = plt.subplots(1, 2, figsize=(11, 5))
    for name, (colour, style) in LINES.items():
        head = heads[name]
        loss.plot(head.losses, linestyle=style, color=colour)
        label = labelled(name, head.short.mean(), head.long.mean())
        share.plot(np.arange(BACK, LONG), head.long, linestyle=style, color=colour, label=label)
    own = labelled(BY_HAND, *by_hand(look_back))
    share.plot(np.arange(BACK, LONG), by_position, color="0.55", lw=8, zorder=0, label=own)
    loss.set(xlabel=_("step"), ylabel=_("loss"), yscale="log", title=_("Four of the five learn the task"))
    share.axvline(SHORT, color="black", lw=1)
    share.text(SHORT - 4, 0.55, _("end of training texts"), rotation=90, ha="right", va="center")
    share.axhline(1 / WORDS, color="black", lw=1)
    share.text(LONG, 1 / WORDS - 0.02, _("chance"), va="top", ha="right")
    share.set(
        xlabel=_("position"), ylabel=_("fraction correct"), ylim=(0, 1.05), title=_("Beyond 32, two of them fail")
    )
    figure.legend(loc="outside lower center", ncols=2, title=_("right at 32 words, and at 128"))
    show(
        figure,
        alt=_(
            "Two panels. Left, the loss against the step, on a log axis: without positions it stays near 2; the "
            "learned table's falls first, then the rotary head's, then those of both sinusoidal heads, which coincide. "
            "Right, the fraction of correct answers by position in texts of 128, with a line at 32: sinusoidal with "
            "random starts and rotary are at 1 throughout; your look_back is between {least:.2f} and {most:.2f}; from 32 on the learned table is near chance,"
            " 0.125; the head without positions is a little above chance everywhere; the sinusoidal head falls below "
            "0.5 near positions 35 to 46, 79 and 115, and is at 1 in between. The legend has each head's fraction "
            "right at 32 words and at 128: {shares}.",
            least=by_position.min(),
            most=by_position.max(),
            shares=", ".join(labelled(name, heads[name].short.mean(), heads[name].long.mean()) for name in HEADS)
            + f", {own}",
        ),
    )
    lines = [*map(_, MEANING)]
    tell("\n".join(lines), "".join(f"<p>{html.escape(line)}</p>" for line in lines))


def labelled(name: str, short: float, long: float) -> str:
    return f"{_(name)} ({short:.2f}, {long:.2f})"


def matrix(one_look) -> None:
    """Show the matrix M of the sinusoidal head: its corner, the rotations in its diagonal blocks, and the rest."""
    one_look(
        sinusoidal_pe(SHORT, D), BACK
    )  # raises an error if it is not written: until then, M is still to be guessed
    m = experiment.filmed()[STEPS]
    rotations = experiment.rotation_part(m)
    part = (rotations**2).sum() / (m**2).sum()
    figure, axes = plt.subplots(1, 3, figsize=(11, 4.8))
    titles = (
        "M",
        _("its rotations: {part:.0f} % of the squares", part=100 * part),
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
