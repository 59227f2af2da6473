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
    alt = _(
        "Two heatmaps of the outputs of attention, six tokens by {D} dimensions, for “{one}” and for “{other}”. How far a word's row on the "
        "left is from its row on the right: {moves}. How far the two rows of “the” on the left are from each other: {apart:.2f}.",
        D=D,
        one=ONE,
        other=OTHER,
        moves=listed(moved(*outputs)),
        apart=np.linalg.norm(outputs[0][0] - outputs[0][4]),
    )
    show(figure, alt=alt)


def causal(attention) -> None:
    """Show how far each word's output moves when cat and mat change places, with and without a mask."""
    full = [attention(word_vectors(text)) for text in (ONE, OTHER)]
    # With a causal mask, a token sees itself and earlier ones, so its output is the last row for the text up to it.
    masked = [[attention(word_vectors(text)[: p + 1])[p] for p in range(len(PLACES))] for text in (ONE, OTHER)]
    moves = {_("no mask"): moved(*full), _("causal mask"): moved(*map(np.array, masked))}
    figure, ax = plt.subplots(figsize=(7, 3.4))
    blind, seeing = (np.max(each) > 0.005 for each in moves.values())
    title = _("How far each word's output moves")
    if seeing and not blind:
        title = _("Without positions, only the causal mask makes order matter")
    bars(ax, moves, title)
    alt = _(
        "Bars for the six words of “{one}”: how far each one's output moves when cat and mat change places. {told}.",
        one=ONE,
        told="; ".join(f"{name}: {listed(each)}" for name, each in moves.items()),
    )
    show(figure, alt=alt)


def ordered(attention, add_positions) -> None:
    """Show how far each word's output moves without a mask, but with positions added."""
    outputs = [attention(add_positions(embed(text, D), np.sqrt(D))) for text in (ONE, OTHER)]
    moves = moved(*outputs)
    figure, ax = plt.subplots(figsize=(7, 3.4))
    title = _("How far each word's output moves")
    if moves.min() > 0.005:
        title = _("With positions, every word's output depends on order")
    bars(ax, {_("positions added, no mask"): moves}, title)
    alt = _(
        "Bars for the six words of “{one}”: how far each one's output moves when cat and mat change places, now with positions added and "
        "without a mask: {moves}.",
        one=ONE,
        moves=listed(moves),
    )
    show(figure, alt=alt)


def balance(add_positions) -> None:
    """Show the cosine of every two rows of words plus positions, with the words at scale 1 and sqrt(D)."""
    figure, axes = plt.subplots(1, 2, figsize=(9.5, 4.2))
    told, others = [], ~np.eye(len(PLACES), dtype=bool)
    others[[0, 4], [4, 0]] = False
    for ax, scale, name in zip(
        axes, (1.0, np.sqrt(D)), (_("scale 1"), _("scale √{d} = {root:g}", d=D, root=np.sqrt(D)))
    ):
        x = add_positions(embed(ONE, D), scale)
        unit = x / np.linalg.norm(x, axis=1, keepdims=True)
        cosines = unit @ unit.T
        told.append(
            _(
                "{name}: {same:.2f} between the two rows of “the”, {near:.2f} to {nearest:.2f} between neighbours, {least:.2f} to {most:.2f} "
                "between any other two rows",
                name=name,
                same=cosines[0, 4],
                near=np.diagonal(cosines, 1).min(),
                nearest=np.diagonal(cosines, 1).max(),
                least=cosines[others].min(),
                most=cosines[others & (np.abs(np.subtract.outer(range(6), range(6))) > 1)].max(),
            )
        )
        image = ax.imshow(cosines, cmap="Blues", vmin=0, vmax=1)
        ax.set_yticks(range(len(unit)), ONE.split())
        ax.grid(False)
        ax.set_xticks(range(len(unit)), ONE.split())
        ax.set_title(name)
        for p, q in ((0, 4), (4, 0)):
            ax.text(q, p, f"{cosines[p, q]:.2f}", ha="center", va="center", bbox={"facecolor": "white", "lw": 0})
    figure.colorbar(image, ax=axes, label=_("cosine of the two rows"))
    alt = _(
        "Two heatmaps of the cosine between every two of the six rows that your add_positions returns. {told}.",
        told=". ".join(told),
    )
    show(figure, alt=alt)


def parts(score_parts) -> None:
    """Show the four parts of the scores in one colour scale, and their sum, the scores, in another."""
    four = [np.asarray(part) for part in score_parts(word_vectors(ONE), sinusoidal_pe(len(PLACES), D))]
    whole = sum(four)
    words = np.array(ONE.split())
    same = words[:, None] == words
    told = [
        f"{name}: {ranges}"
        for name, ranges in (
            (
                _("content-content"),
                _("{equal} for equal words, {other} for others", equal=span(four[0][same]), other=span(four[0][~same])),
            ),
            *((name, rows_of(part)) for name, part in zip((_("content-position"), _("position-content")), four[1:3])),
            (
                _("position-position"),
                _(
                    "{main} on the main diagonal, {other} elsewhere",
                    main=span(np.diagonal(four[3])),
                    other=span(four[3][~np.eye(6, dtype=bool)]),
                ),
            ),
        )
    ]
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
    alt = _(
        "Five heatmaps of six tokens by six, the last one with its own colour scale. {told}. Their sum: {whole}.",
        told=". ".join(told),
        whole=span(whole),
    )
    show(figure, alt=alt)


def span(values: np.ndarray) -> str:
    return _("from {low:.1f} to {high:.1f}", low=values.min().round(1) + 0.0, high=values.max().round(1) + 0.0)


def rows_of(part: np.ndarray) -> str:
    """Say how far a part's numbers go, and how many of its rows and columns have one sign."""
    signs = [np.sign(part).sum(axis=axis) for axis in (1, 0)]
    (more, columns_more), (less, columns_less) = ([np.count_nonzero(sums == way) for sums in signs] for way in (6, -6))
    return _(
        "{span}; positive throughout in {more} rows and {columns_more} columns, negative in {less} and {columns_less}",
        span=span(part),
        more=more,
        columns_more=columns_more,
        less=less,
        columns_less=columns_less,
    )


def listed(moves: np.ndarray) -> str:
    """Each word of ONE with how far it moves."""
    return ", ".join(f"{word} {move:.2f}" for word, move in zip(ONE.split(), moves))


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
