"""Lab 08's figures, drawn with the student's functions, each with its alt text."""

import matplotlib.pyplot as plt
import numpy as np

from encoding_labs.tokens import embed
from labkit.student.notebook.figures import show
from labkit.student.notebook.language import translated as _
from minimodel.positional.sinusoidal import sinusoidal_pe

D = 16  # dimensions of the words in `relative`


def looking_back(look_back) -> None:
    """Show the weights of a head that looks 3 back, for two gains. Then plot each row's weight at p - 3."""
    table, offset = sinusoidal_pe(64, 32), 3
    figure, axes = plt.subplots(1, 3, figsize=(12, 4.2), width_ratios=(1, 1, 1.15))
    told = []
    for ax, gain in zip(axes, (1, 4)):
        weights = look_back(table, offset, gain)
        shares = ", ".join(f"{share:.2f}" for share in weights[:offset, 0])
        largest = weights[offset:].argmax(axis=1) == np.arange(len(table) - offset)
        told.append(
            _(
                "At gain {gain}, {right:.0f} % of the rows from position 3 on have their largest weight 3 back, and the first three rows give "
                "{shares} to position 0",
                gain=gain,
                right=100 * largest.mean(),
                shares=shares,
            )
        )
        image = ax.imshow(weights, cmap="Greys", vmin=0, vmax=1)
        ax.set(xlabel=_("key position q"), title=_("gain {gain}", gain=gain))
        ax.grid(False)
    axes[0].set_ylabel(_("query position p"))
    figure.colorbar(image, ax=axes[1], label=_("weight"))
    positions, at = np.arange(offset, len(table)), []
    for gain, style in ((1, ":"), (2, "--"), (4, "-")):
        weights = look_back(table, offset, gain)
        drawn = weights[positions, positions - offset]
        axes[2].plot(positions, drawn, style, label=_("gain {gain}", gain=gain))
        at.append(_("{least:.2f} to {most:.2f} at gain {gain}", least=drawn.min(), most=drawn.max(), gain=gain))
    axes[2].set(
        xlabel=_("query position p"), ylabel=_("weight at p − 3"), ylim=(0, 1.05), title=_("How sharply it looks")
    )
    axes[2].legend(loc="lower right")
    figure.get_layout_engine().set(w_pad=0.1)  # space between the colour bar's label and the next axis label
    alt = _(
        "Left and middle, the weights of your head with offset 3, 64 positions by 64. {told}. Right, the weight at p − 3 against p: {at}.",
        told=". ".join(told),
        at=", ".join(at),
    )
    show(figure, alt=alt)


def relative(rope) -> None:
    """Show how the score of one word for another 5 positions earlier depends on where the two are."""
    p, offset = np.arange(5, 65), 5
    cat, mat = (np.tile(np.sqrt(D) * embed(word, D), (len(p), 1)) for word in ("cat", "mat"))
    table = sinusoidal_pe(65, D)
    ways = {
        _("both turned"): (rope(cat, p) * rope(mat, p - offset)).sum(axis=1),
        _("only the query turned"): (rope(cat, p) * mat).sum(axis=1),
        _("table added to both"): ((cat + table[p]) * (mat + table[p - offset])).sum(axis=1),
    }
    figure, ax = plt.subplots(figsize=(8, 4))
    for (name, scores), style in zip(ways.items(), ("-", ":", "--")):
        ax.plot(p, scores / np.sqrt(D), style, label=name)
    ax.set(xlabel=_("position p of cat; mat is at p − 5"), ylabel=_("score of cat for mat"))
    level = np.ptp(ways[_("both turned")]) < 0.01
    ax.set_title(_("Turn both, and only the offset counts") if level else _("Three ways to use positions"))
    figure.legend(loc="outside lower center", ncols=3)
    told = [
        _("{name}: between {low:.1f} and {high:.1f}", name=name, low=low, high=high)
        for name, low, high in ((name, *np.divide((s.min(), s.max()), np.sqrt(D))) for name, s in ways.items())
    ]
    alt = _(
        "The score of the word cat at position p for the word mat at p − 5, for p from 5 to 64. {told}.",
        told="; ".join(told),
    )
    show(figure, alt=alt)
