"""Lab 05, base sweep: right and wrong answers to `draw_sweep`."""

import matplotlib.pyplot as plt
import numpy as np

from autograder.samples import Sample, Samples
from encoding_labs.base_sweep.exercises import OFFSETS
from minimodel.positional.sinusoidal import sinusoidal_pe

from . import TURN, right_wavelengths, similarity

ANSWERS = Samples()


def plotted(bases, ax, curve, label="base {:,}", x=OFFSETS):
    """Draw a labelled figure with the line `curve(base)` for each base."""
    for base in bases:
        ax.plot(x, curve(base), label=label.format(base))
    ax.set(xscale="log", xlabel="offset", ylabel="similarity")
    ax.legend()


@ANSWERS.sample("draw_sweep")
def every_offset_from_a_float32_table(bases, d, ax):
    for base in bases:
        table = sinusoidal_pe(10_001, d, base=base)
        ax.semilogx(np.arange(1, 10_001), (table @ table[0] / (d / 2))[1:], lw=1, label=f"{base}")
    ax.set_xlabel("offset (positions)")
    ax.set_ylabel("S / (d/2)")
    ax.legend(title="base")


@ANSWERS.sample("draw_sweep")
def drawn_in_descending_order_with_lists(bases, d, ax):
    for base in reversed(bases):
        label = f"base {base:,}, d={d}".replace(",", " ", 1)
        ax.plot(list(OFFSETS)[::-1], list(similarity(d, base))[::-1], "o-", label=label)
    ax.set_xscale("log")
    ax.set(xlabel="offset", ylabel="similarity", title="Similarity")
    ax.legend(loc="upper right")


@ANSWERS.sample("draw_sweep")
def from_offset_0_on_a_symmetric_log_axis_made_logarithmic(bases, d, ax):
    every = np.arange(0, 10_001)
    for base in bases:
        (line,) = ax.plot(every, similarity(d, base, every))
        line.set_label(f"{base:_}")
    ax.set_xscale("log", base=10)
    ax.set_xlabel("desplazamiento (posiciones)")
    ax.set_ylabel("similitud")
    ax.legend(loc="lower left", title="base")


@ANSWERS.sample("draw_sweep")
def all_lines_in_one_call(bases, d, ax):
    lines = ax.plot(OFFSETS, np.column_stack([similarity(d, base) for base in bases]))
    for line, base in zip(lines, bases):
        line.set_label(f"$B = {base}$")
    ax.set(xscale="log", xlabel="offset", ylabel="S / (d/2)")
    ax.legend()


@ANSWERS.sample("draw_sweep")
def words_given_to_the_legend(bases, d, ax):
    lines = [ax.plot(OFFSETS, similarity(d, base))[0] for base in bases]
    ax.legend(lines, [f"base {base:,}" for base in bases])
    ax.set(xscale="log", xlabel="offset", ylabel="similarity")


@ANSWERS.sample("draw_sweep", "unknown")
def without_labels_on_lines(bases, d, ax):
    for base in bases:
        ax.plot(OFFSETS, similarity(d, base))
    ax.set(xscale="log", xlabel="offset", ylabel="similarity")


@ANSWERS.sample("draw_sweep", "other-axes")
def on_a_figure_of_its_own(bases, d, ax):
    _, own = plt.subplots()
    plotted(bases, own, lambda base: similarity(d, base))
    plt.close(own.figure)


@ANSWERS.sample("draw_sweep", "unknown")
def points_and_no_lines(bases, d, ax):
    for base in bases:
        ax.scatter(OFFSETS, similarity(d, base), s=1, label=f"base {base}")
    ax.set(xscale="log", xlabel="offset", ylabel="similarity")
    ax.legend()


@ANSWERS.sample("draw_sweep", "index-for-offset")
def without_x_values(bases, d, ax):
    for base in bases:
        ax.plot(similarity(d, base), label=f"base {base}")
    ax.set(xscale="log", xlabel="offset", ylabel="similarity")
    ax.legend()


def of_curve(curve):
    """Make an answer that draws the line `curve(d, base)` for each base."""
    return lambda bases, d, ax: plotted(bases, ax, lambda base: curve(d, base))


def changed(**properties):
    """Draw the right figure, then change properties of its Axes."""

    def answer(bases, d, ax):
        plotted(bases, ax, lambda base: similarity(d, base))
        ax.set(**properties)

    return answer


def without_a_legend(bases, d, ax):
    changed()(bases, d, ax)
    ax.get_legend().remove()


both_axes_logarithmic = changed(yscale="log")
always_32_dimensions = of_curve(lambda d, base: similarity(32, base))


def bases_in_scientific_form(bases, d, ax):
    plotted(bases, ax, lambda base: similarity(d, base), label="{:.0e}")


def markers_without_lines(bases, d, ax):
    plotted(bases, ax, lambda base: similarity(d, base).astype(np.float32), label="base = {:.5g}")
    plt.setp(ax.lines, linestyle="", marker=".")


def x_and_y_exchanged(bases, d, ax):
    for base in bases:
        ax.plot(similarity(d, base), OFFSETS, label=f"base {base:,}")
    ax.set(xscale="log", xlabel="offset", ylabel="similarity")
    ax.legend()


def omega(d, base):
    return TURN / right_wavelengths(d, base)


for style, mistakes, answer in (
    ("plotted at the offsets", (), of_curve(similarity)),
    ("a line at zero", (), lambda bases, d, ax: (of_curve(similarity)(bases, d, ax), ax.axhline(0))),
    ("markers without lines", (), markers_without_lines),
    ("a symmetric logarithm", (), changed(yscale="symlog")),
    ("both axes logarithmic", ("unknown",), both_axes_logarithmic),
    ("bases in scientific form", ("unknown",), bases_in_scientific_form),
    ("labels exchanged", ("bigger-is-apart",), lambda bases, d, ax: plotted(bases, ax, lambda base: similarity(d, dict(zip(bases, bases[::-1]))[base]))),
    ("the slowest pair alone", ("collides-at-longest",), of_curve(lambda d, base: np.cos(OFFSETS * omega(d, base)[-1]))),
    ("offsets wrapped", ("collides-at-longest",), of_curve(lambda d, base: similarity(d, base, OFFSETS % right_wavelengths(d, base)[-1]))),
    ("not divided", ("not-normalised",), of_curve(lambda d, base: d / 2 * similarity(d, base))),
    ("divided by d", ("not-normalised",), of_curve(lambda d, base: similarity(d, base) / 2)),
    ("in float32 and divided by d", ("not-normalised",), of_curve(lambda d, base: (similarity(d, base) / 2).astype(np.float32))),
    ("divided by the number of bases", ("not-normalised",), of_curve(lambda d, base: similarity(d, base) * d / 2 / 5)),
    ("one radian per wavelength", ("turn-lost",), of_curve(lambda d, base: np.cos(OFFSETS[:, None] / right_wavelengths(d, base)).mean(axis=1))),
    ("a plus in the exponent", ("missing-minus",), of_curve(lambda d, base: np.cos(OFFSETS[:, None] / omega(d, base)).mean(axis=1))),
    ("k over d", ("exponent-k-over-d",), of_curve(lambda d, base: np.cos(OFFSETS[:, None] * base ** (-np.arange(d // 2) / d)).mean(axis=1))),
    ("cosines of degrees", ("degrees",), of_curve(lambda d, base: np.cos(np.radians(OFFSETS[:, None] * omega(d, base))).mean(axis=1))),
    ("angles turned into degrees", ("degrees",), of_curve(lambda d, base: np.cos(np.degrees(OFFSETS[:, None] * omega(d, base))).mean(axis=1))),
    ("x and y exchanged", ("axes-swapped",), x_and_y_exchanged),
    ("always 32 dimensions", ("unknown",), always_32_dimensions),
    ("wavelengths for frequencies", ("wavelength-given",), of_curve(lambda d, base: np.cos(OFFSETS[:, None] * right_wavelengths(d, base)).mean(axis=1))),
    ("sums of sines", ("sines-only",), of_curve(lambda d, base: np.sin(OFFSETS[:, None] * omega(d, base)).mean(axis=1))),
    ("distances", ("unknown",), of_curve(lambda d, base: np.sqrt(d * (1 - similarity(d, base))))),
    ("a few offsets", ("unknown",), lambda bases, d, ax: plotted(bases, ax, lambda base: similarity(d, base, OFFSETS[::4]), x=OFFSETS[::4])),
    ("one base left out", ("unknown",), lambda bases, d, ax: of_curve(similarity)(bases[1:], d, ax)),
    ("a linear axis", ("unknown",), changed(xscale="linear")),
    ("no label on the similarity axis", ("unknown",), changed(ylabel="")),
    ("no legend", ("unknown",), without_a_legend),
):  # fmt: skip
    ANSWERS.append(Sample("draw_sweep", style, answer, mistakes))
