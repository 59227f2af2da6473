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
        told.append(_("{shares} at gain {gain}", shares=shares, gain=gain))
        image = ax.imshow(weights, cmap="Greys", vmin=0, vmax=1)
        ax.set(xlabel=_("key position q"), title=_("gain {gain}", gain=gain))
        ax.grid(False)
    axes[0].set_ylabel(_("query position p"))
    figure.colorbar(image, ax=axes[1], label=_("weight"))
    positions = np.arange(offset, len(table))
    for gain, style in ((1, ":"), (2, "--"), (4, "-")):
        weights = look_back(table, offset, gain)
        axes[2].plot(positions, weights[positions, positions - offset], style, label=_("gain {gain}", gain=gain))
    axes[2].set(
        xlabel=_("query position p"), ylabel=_("weight at p − 3"), ylim=(0, 1.05), title=_("How sharply it looks")
    )
    axes[2].legend(loc="lower right")
    figure.get_layout_engine().set(w_pad=0.1)  # space between the colour bar's label and the next axis label
    show(
        figure,
        alt=_(
            "Left and middle, the weights of a head that looks 3 back, 64 positions by 64, at gain 1 and gain 4: a "
            "line runs 3 below the diagonal, blurred at gain 1 and sharp at gain 4. The first three rows, which have "
            "no token 3 before them, give position 0 the largest share: {told}. Right, the weight at p − 3 against p "
            "for gains 1, 2 and 4: three curves, higher for a larger gain. Each is level from about p = 5 on and "
            "higher at p = 3.",
            told=_(" and ").join(told),
        ),
    )


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
    ax.set_title(_("Turn both, and only the offset counts"))
    figure.legend(loc="outside lower center", ncols=3)
    show(
        figure,
        alt=_(
            "The score of the word cat at position p for the word mat at p − 5, for p from 5 to 64. With query and key "
            "both turned it is a horizontal line at 1.9. With only the query turned it wanders between -0.1 and 3.0, "
            "and with the table added to both between 0.1 and 3.9."
        ),
    )
