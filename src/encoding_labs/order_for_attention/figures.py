"""Lab 06's figures, drawn with the student's functions, each with its alt text."""

import matplotlib.pyplot as plt
import numpy as np

from encoding_labs.tokens import embed
from labkit.student.notebook.figures import show
from labkit.student.notebook.language import translated as _
from minimodel.positional.sinusoidal import sinusoidal_pe

ONE, OTHER = "the cat sat on the mat", "the mat sat on the cat"
PLACES = (0, 5, 2, 3, 4, 1)  # the position in OTHER of each word of ONE
D = 16


def order_blind(attention) -> None:
    """Show the outputs for one sentence and for the same words in another order, as heatmaps."""
    figure, axes = plt.subplots(1, 2, figsize=(9.5, 3.4), sharex=True)
    outputs = [attention(word_vectors(text)) for text in (ONE, OTHER)]
    for ax, text, rows in zip(axes, (ONE, OTHER), outputs):
        image = heatmap(ax, rows, text.split(), np.abs(outputs).max())
        ax.set(xlabel=_("dimension"), title=f"“{text}”", xticks=range(0, D, 3))
    axes[0].set_ylabel(_("token"))
    figure.colorbar(image, ax=axes, label=_("entry of the output"))
    show(
        figure,
        alt=_(
            "Two heatmaps of the outputs of attention, six tokens by {D} dimensions, for “{one}” and for "
            "“{other}”. Compare a word's rows in the two: the row of cat has the same colours on the left and on the "
            "right, and so do the rows of every other word. Within each picture the two rows of “the” are equal.",
            D=D,
            one=ONE,
            other=OTHER,
        ),
    )


def causal(attention) -> None:
    """Show how far each word's output moves when cat and mat change places, with and without a mask."""
    full = [attention(word_vectors(text)) for text in (ONE, OTHER)]
    # With a causal mask, a token sees itself and earlier ones, so its output is the last row for the text up to it.
    masked = [[attention(word_vectors(text)[: p + 1])[p] for p in range(len(PLACES))] for text in (ONE, OTHER)]
    moves = {_("no mask"): moved(*full), _("causal mask"): moved(*map(np.array, masked))}
    figure, ax = plt.subplots(figsize=(7, 3.4))
    bars(ax, moves, _("Without positions, only the causal mask makes order matter"))
    show(
        figure,
        alt=_(
            "Bars for the six words of “{one}”: how far each one's output moves when cat and mat change places. "
            "Without a mask all bars are at 0. With a causal mask the first “the” stays at 0; cat and mat move "
            "most, by about 0.45 and 0.39, sat, on and the second “the” by 0.14 and less.",
            one=ONE,
        ),
    )


def ordered(attention, add_positions) -> None:
    """Show how far each word's output moves without a mask, but with positions added."""
    outputs = [attention(add_positions(embed(text, D), np.sqrt(D))) for text in (ONE, OTHER)]
    moves = moved(*outputs)
    figure, ax = plt.subplots(figsize=(7, 3.4))
    bars(ax, {_("positions added, no mask"): moves}, _("With positions, every word's output depends on order"))
    show(
        figure,
        alt=_(
            "Bars for the six words of “{one}”: how far each one's output moves when cat and mat change places, "
            "now with positions added and without a mask. Cat moves by {cat:.1f}, mat by {mat:.1f} and sat "
            "by {sat:.1f}, the other words by at most {rest:.2f}; no bar is at 0.",
            one=ONE,
            cat=moves[1],
            mat=moves[5],
            sat=moves[2],
            rest=moves[[0, 3, 4]].max(),
        ),
    )


def balance(add_positions) -> None:
    """Show the cosine of every two rows of words plus positions, with the words at scale 1 and sqrt(D)."""
    figure, axes = plt.subplots(1, 2, figsize=(9.5, 4.2))
    for ax, scale, name in zip(
        axes, (1.0, np.sqrt(D)), (_("scale 1"), _("scale √{d} = {root:g}", d=D, root=np.sqrt(D)))
    ):
        x = add_positions(embed(ONE, D), scale)
        unit = x / np.linalg.norm(x, axis=1, keepdims=True)
        image = ax.imshow(unit @ unit.T, cmap="Blues", vmin=0, vmax=1)
        ax.set_yticks(range(len(unit)), ONE.split())
        ax.grid(False)
        ax.set_xticks(range(len(unit)), ONE.split())
        ax.set_title(name)
        for p, q in ((0, 4), (4, 0)):
            ax.text(
                q, p, f"{(unit @ unit.T)[p, q]:.2f}", ha="center", va="center", bbox={"facecolor": "white", "lw": 0}
            )
    figure.colorbar(image, ax=axes, label=_("cosine of the two rows"))
    show(
        figure,
        alt=_(
            "Two heatmaps of the cosine between every two of the six rows of the sum. With scale 1 all cosines are "
            "above 0.6: neighbours are most alike, whatever the words, and the two rows of “the” have a cosine of 0.77. With scale "
            "4 the two rows of “the” stand out at 0.92, and all other pairs are at about 0.5 or below."
        ),
    )


def parts(score_parts) -> None:
    """Show the four parts of the scores in one colour scale, and their sum, the scores, in another."""
    four = [np.asarray(part) for part in score_parts(word_vectors(ONE), sinusoidal_pe(len(PLACES), D))]
    whole = sum(four)
    words = np.array(ONE.split())
    content = four[0][words[:, None] != words]  # content parts of pairs of different words
    mixed = four[1]
    figure, axes = plt.subplot_mosaic([["cc", "cp", "sum"], ["pc", "pp", "sum"]], figsize=(11, 7.2))
    names = (
        _("content-content"),
        _("content-position"),
        _("position-content"),
        _("position-position"),
        _("their sum: the scores"),
    )
    for ax, part, name in zip((axes[key] for key in ("cc", "cp", "pc", "pp", "sum")), (*four, whole), names):
        image = heatmap(ax, part, ONE.split(), np.abs(whole if part is whole else four).max())
        ax.set_aspect("equal")
        ax.set_xticks(range(len(part)), ONE.split(), rotation=45)
        ax.set_title(name)
        if part is four[-1]:
            figure.colorbar(
                image, ax=[axes[key] for key in ("pc", "pp")], label=_("part of the score"), location="bottom"
            )
    axes["sum"].set_xlabel(_("key token"))
    axes["sum"].set_ylabel(_("query token"))
    figure.colorbar(image, ax=axes["sum"], label=_("score"), location="bottom")
    show(
        figure,
        alt=_(
            "Five heatmaps of six tokens by six. Content with content: {same:.1f} on the diagonal and where “the” "
            "meets “the”, between {least:.1f} and {most:.1f} elsewhere. Content with position: three rows are "
            "positive throughout, three negative, between {lowest:.1f} and {highest:.1f}; position with content is"
            " the same, mirrored in the diagonal. Position with position: positive everywhere, one value on each "
            "diagonal, highest on the main one. Their sum shows all of these patterns, with larger values and its own "
            "colour scale.",
            same=four[0][0, 4],
            least=content.min(),
            most=content.max(),
            lowest=mixed.min(),
            highest=mixed.max(),
        ),
    )


def word_vectors(text: str) -> np.ndarray:
    """The word vectors in this lab's figures: rows of length sqrt(D)."""
    return np.float32(np.sqrt(D)) * embed(text, D)


def moved(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The distance between each word's outputs in ONE and in OTHER."""
    return np.linalg.norm(one - other[list(PLACES)], axis=1)


def heatmap(ax, values: np.ndarray, rows: list[str], most: float):
    image = ax.imshow(values, cmap="RdBu_r", vmin=-most, vmax=most, aspect="auto")
    ax.set_yticks(range(len(rows)), rows)
    ax.grid(False)
    return image


def bars(ax, moves: dict[str, np.ndarray], title: str) -> None:
    words, width = ONE.split(), 0.8 / len(moves)
    for number, (name, distances) in enumerate(moves.items()):
        shift = (number - (len(moves) - 1) / 2) * width
        drawn = ax.bar(np.arange(len(words)) + shift, distances, width * 0.9, label=name, hatch=("", "//")[number])
        ax.bar_label(drawn, fmt="%.2f", fontsize=10)
    ax.set_xticks(range(len(words)), words)
    ax.set(ylabel=_("how far the output moves"), title=title)
    ax.margins(y=0.12)
    ax.figure.legend(loc="outside lower center", ncols=2)
