"""Lab 02, heatmap: right and wrong answers."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import (
    CenteredNorm,
    LinearSegmentedColormap,
    Normalize,
    TwoSlopeNorm,
)

from mistaken import Sample, Samples

ANSWERS = Samples()


def labelled(image, ax, xlabel="dimension", ylabel="position"):
    """The finish that most samples share."""
    ax.set(xlabel=xlabel, ylabel=ylabel)
    ax.figure.colorbar(image, ax=ax, label="value")


def plain(pe, ax, **changes):
    """A right picture, but for the changes."""
    options = {"cmap": "RdBu_r", "vmin": -1, "vmax": 1, "aspect": "auto", "interpolation": "nearest"} | changes
    return ax.imshow(pe, **options)


# draw_heatmap, right


@ANSWERS.sample("draw_heatmap")
def imshow(pe, ax):
    labelled(plain(pe, ax), ax)


@ANSWERS.sample("draw_heatmap")
def matshow_coolwarm(pe, ax):
    image = ax.matshow(pe, cmap="coolwarm", vmin=-1, vmax=1, aspect="auto")
    ax.set_xlabel("column")
    ax.set_ylabel("row")
    plt.colorbar(image)


@ANSWERS.sample("draw_heatmap")
def pcolormesh_with_inverted_axis(pe, ax):
    mesh = ax.pcolormesh(pe, cmap=plt.get_cmap("seismic"), vmin=-1, vmax=1)
    ax.invert_yaxis()
    labelled(mesh, ax, "i", "p")


@ANSWERS.sample("draw_heatmap")
def pcolormesh_with_centres_and_limits(pe, ax):
    T, d = pe.shape
    mesh = ax.pcolormesh(np.arange(d), np.arange(T), pe, cmap="PuOr", norm=Normalize(-1, 1), shading="nearest")
    ax.set_ylim(T - 0.5, -0.5)
    labelled(mesh, ax)


@ANSWERS.sample("draw_heatmap")
def pcolor_upside_down_twice(pe, ax):
    T, d = pe.shape
    mesh = ax.pcolor(np.arange(d + 1), np.arange(T, -1, -1), pe[::-1], cmap="BrBG", norm=CenteredNorm())
    ax.yaxis.set_inverted(True)
    labelled(mesh, ax)


@ANSWERS.sample("draw_heatmap")
def mesh_of_the_transposed_table_with_transposed_coordinates(pe, ax):
    y, x = np.meshgrid(np.arange(pe.shape[0] + 1), np.arange(pe.shape[1] + 1))
    mesh = ax.pcolormesh(x, y, pe.T, cmap="RdBu", vmin=-1, vmax=1)
    ax.invert_yaxis()
    labelled(mesh, ax)


@ANSWERS.sample("draw_heatmap")
def own_map_with_dark_middle_and_limits_from_the_data(pe, ax):
    own = LinearSegmentedColormap.from_list("own", ["gold", "black", "deepskyblue"])
    top = np.abs(pe).max()
    labelled(ax.imshow(pe.astype(float), cmap=own, clim=(-top, top), interpolation="none"), ax)


@ANSWERS.sample("draw_heatmap")
def origin_lower_with_inverted_axis(pe, ax):
    image = plain(pe, ax, origin="lower", cmap="bwr")
    ax.set_ylim(ax.get_ylim()[::-1])
    labelled(image, ax)


@ANSWERS.sample("draw_heatmap")
def extent_that_counts_from_the_top(pe, ax):
    labelled(plain(pe, ax, extent=(0, pe.shape[1], pe.shape[0], 0), cmap="Spectral"), ax)


@ANSWERS.sample("draw_heatmap")
def later_limits_few_colours_and_a_bar_below(pe, ax):
    image = ax.imshow(pe, cmap=plt.get_cmap("RdBu", 11), interpolation="nearest", aspect="auto")
    image.set_clim(-1, 1)
    ax.axhline(8, color="k", lw=0.5)
    ax.set(xlabel="dimension", ylabel="position", title="The table", xticks=range(0, pe.shape[1], 2))
    ax.figure.colorbar(image, ax=ax, orientation="horizontal")
    return ax


@ANSWERS.sample("draw_heatmap")
def bar_of_a_mappable_of_its_own(pe, ax):
    image = plain(pe, ax)
    ax.set(xlabel="dimension", ylabel="position")
    plt.colorbar(ScalarMappable(image.norm, image.cmap), ax=ax)


# draw_heatmap, wrong


@ANSWERS.sample("draw_heatmap", "axes-swapped")
def transposed(pe, ax):
    labelled(plain(pe.T, ax), ax, "position", "dimension")


@ANSWERS.sample("draw_heatmap", "axes-swapped")
def transposed_from_below_with_the_old_labels(pe, ax):
    labelled(plain(pe.T, ax, origin="lower"), ax)


@ANSWERS.sample("draw_heatmap", "axes-swapped")
def transposed_mesh(pe, ax):
    labelled(ax.pcolormesh(pe.T, cmap="RdBu", vmin=-1, vmax=1), ax)


@ANSWERS.sample("draw_heatmap", "asymmetric-limits")
def limits_left_to_the_data(pe, ax):
    labelled(plain(pe, ax, vmin=None, vmax=None), ax)


@ANSWERS.sample("draw_heatmap", "asymmetric-limits")
def limits_from_zero(pe, ax):
    labelled(plain(pe, ax, vmin=0), ax)


@ANSWERS.sample("draw_heatmap", "asymmetric-limits")
def zero_in_the_middle_of_two_slopes(pe, ax):
    labelled(ax.imshow(pe, cmap="RdBu", norm=TwoSlopeNorm(0, -0.5, 1), interpolation="nearest"), ax)


@ANSWERS.sample("draw_heatmap", "sequential-colormap")
def viridis(pe, ax):
    labelled(plain(pe, ax, cmap="viridis"), ax)


@ANSWERS.sample("draw_heatmap", "sequential-colormap")
def the_map_of_bare_matplotlib(pe, ax):
    labelled(plain(pe, ax, cmap=None), ax)


@ANSWERS.sample("draw_heatmap", "sequential-colormap")
def jet(pe, ax):
    labelled(plain(pe, ax, cmap="jet"), ax)


@ANSWERS.sample("draw_heatmap", "sequential-colormap")
def cyclic_map_with_equal_ends(pe, ax):
    labelled(plain(pe, ax, cmap="twilight_shifted"), ax)


@ANSWERS.sample("draw_heatmap", "origin-flipped")
def origin_lower(pe, ax):
    labelled(plain(pe, ax, origin="lower"), ax)


@ANSWERS.sample("draw_heatmap", "origin-flipped")
def rows_reversed(pe, ax):
    labelled(plain(pe[::-1], ax), ax)


@ANSWERS.sample("draw_heatmap", "origin-flipped")
def mesh_left_as_it_comes(pe, ax):
    labelled(ax.pcolormesh(pe, cmap="RdBu", vmin=-1, vmax=1), ax)


@ANSWERS.sample("draw_heatmap", "origin-flipped")
def extent_that_counts_from_the_bottom(pe, ax):
    labelled(plain(pe, ax, extent=(0, pe.shape[1], 0, pe.shape[0])), ax)


@ANSWERS.sample("draw_heatmap", "origin-flipped")
def turned_by_half_a_turn(pe, ax):
    image = plain(pe, ax)
    ax.invert_yaxis()
    ax.invert_xaxis()
    labelled(image, ax)


@ANSWERS.sample("draw_heatmap", "smoothed")
def bilinear(pe, ax):
    labelled(plain(pe, ax, interpolation="bilinear"), ax)


@ANSWERS.sample("draw_heatmap", "smoothed")
def left_to_matplotlib(pe, ax):
    labelled(plain(pe, ax, interpolation="auto"), ax)


@ANSWERS.sample("draw_heatmap", "smoothed")
def gouraud(pe, ax):
    mesh = ax.pcolormesh(pe, cmap="RdBu", vmin=-1, vmax=1, shading="gouraud")
    ax.invert_yaxis()
    labelled(mesh, ax)


@ANSWERS.sample("draw_heatmap", "unlabelled")
def without_axis_labels(pe, ax):
    ax.figure.colorbar(plain(pe, ax), ax=ax)


@ANSWERS.sample("draw_heatmap", "unlabelled")
def without_a_colour_bar(pe, ax):
    plain(pe, ax)
    ax.set(xlabel="dimension", ylabel="position")


@ANSWERS.sample("draw_heatmap", "unlabelled")
def with_blank_labels(pe, ax):
    labelled(plain(pe, ax), ax, " ", " ")


@ANSWERS.sample("draw_heatmap", "axes-swapped", "asymmetric-limits", "sequential-colormap", "unlabelled")
def a_bare_imshow_of_the_transposed_table(pe, ax):
    ax.imshow(pe.T, interpolation="nearest")


@ANSWERS.sample("draw_heatmap", "unknown")
def columns_mirrored(pe, ax):
    labelled(plain(pe[:, ::-1], ax), ax)


@ANSWERS.sample("draw_heatmap", "unknown")
def x_axis_inverted(pe, ax):
    image = plain(pe, ax)
    ax.invert_xaxis()
    labelled(image, ax)


@ANSWERS.sample("draw_heatmap", "unknown")
def axes_that_count_from_one(pe, ax):
    T, d = pe.shape
    labelled(plain(pe, ax, extent=(0.5, d + 0.5, T + 0.5, 0.5)), ax)


@ANSWERS.sample("draw_heatmap", "unknown")
def always_the_same_table(pe, ax):
    labelled(plain(np.zeros((64, 32)), ax), ax)


@ANSWERS.sample("draw_heatmap", "unknown")
def half_out_of_sight(pe, ax):
    image = plain(pe, ax)
    ax.set_ylim(len(pe) / 2, -0.5)
    labelled(image, ax)


@ANSWERS.sample("draw_heatmap", "unknown")
def values_made_positive(pe, ax):
    labelled(plain((pe + 1) / 2, ax), ax)


@ANSWERS.sample("draw_heatmap", "unknown")
def limits_too_narrow(pe, ax):
    labelled(plain(pe, ax, vmin=-0.5, vmax=0.5), ax)


@ANSWERS.sample("draw_heatmap", "unknown")
def limits_far_too_wide(pe, ax):
    labelled(plain(pe, ax, vmin=-10, vmax=10), ax)


@ANSWERS.sample("draw_heatmap", "unknown")
def labels_exchanged(pe, ax):
    labelled(plain(pe, ax), ax, "position", "dimension")


@ANSWERS.sample("draw_heatmap", "unknown")
def finished_colours(pe, ax):
    image = ax.imshow(plt.get_cmap("RdBu")((pe + 1) / 2), aspect="auto")
    labelled(image, ax)


@ANSWERS.sample("draw_heatmap", "unknown")
def nothing_drawn(pe, ax):
    ax.set(xlabel="dimension", ylabel="position")


@ANSWERS.sample("draw_heatmap", "unknown")
def drawn_on_another_figure(pe, ax):
    figure, other = plt.subplots()
    labelled(plain(pe, other), other)
    plt.close(figure)


# full_cycles


@ANSWERS.sample("full_cycles")
def vectorised(T, d):
    k = np.arange(d // 2)
    return np.sum(2 * np.pi * 10000 ** (2 * k / d) <= T)


@ANSWERS.sample("full_cycles")
def counted_in_a_loop(T, d):
    count = 0
    for k in range(d // 2):
        if T * 10000 ** (-2 * k / d) >= 2 * np.pi:
            count += 1
    return count


@ANSWERS.sample("full_cycles")
def by_bisection_in_float32(T, d):
    wavelengths = np.float32(2 * np.pi) * np.float32(10000) ** (np.arange(0, d, 2, dtype=np.float32) / np.float32(d))
    return int(np.searchsorted(wavelengths, T, side="right"))


@ANSWERS.sample("full_cycles")
def solved_for_k(T, d):
    turns = T / (2 * np.pi)
    return 0 if turns < 1 else float(min(d // 2, np.floor(np.log(turns) / np.log(10000) * d / 2) + 1))


@ANSWERS.sample("full_cycles", "unknown")
def columns_in_place_of_pairs(T, d):
    return 2 * vectorised(T, d)


@ANSWERS.sample("full_cycles", "unknown")
def without_two_pi(T, d):
    return int((10000.0 ** (2 * np.arange(d // 2) / d) <= T).sum())


@ANSWERS.sample("full_cycles", "unknown")
def turns_of_all_pairs(T, d):
    return int((T * 10000.0 ** (-2 * np.arange(d // 2) / d) / (2 * np.pi)).sum())


@ANSWERS.sample("full_cycles", "unknown")
def a_mask_in_place_of_a_count(T, d):
    return 2 * np.pi * 10000 ** (2 * np.arange(d // 2) / d) <= T


# draw_columns


def wavelength(column, d):
    return 2 * np.pi * 10000 ** (2 * (column // 2) / d)


def finish(ax):
    ax.set(xlabel="position", ylabel="value")
    ax.legend()


@ANSWERS.sample("draw_columns")
def one_plot_per_column(pe, columns, ax):
    for column in columns:
        ax.plot(pe[:, column], label=f"{wavelength(column, pe.shape[1]):.1f} positions")
    finish(ax)


@ANSWERS.sample("draw_columns")
def all_in_one_call(pe, columns, ax):
    columns = np.array(columns)
    labels = [f"{w:,.0f} positions" for w in wavelength(columns, pe.shape[1])]
    ax.plot(range(len(pe)), pe[:, columns], ".-", label=labels)
    ax.axhline(0, color="grey", lw=1)
    finish(ax)


@ANSWERS.sample("draw_columns")
def legend_given_separately(pe, columns, ax):
    lines = [ax.plot(list(range(len(pe))), pe[:, column].tolist(), drawstyle="steps-mid")[0] for column in columns]
    for line, column in zip(lines, columns):
        line.set_label(rf"column {column}, $\lambda = {wavelength(column, pe.shape[1]):.4g}$")
    ax.set(xlabel="p", ylabel="PE")
    ax.legend(handles=lines, loc="upper right")


@ANSWERS.sample("draw_columns")
def labels_in_spanish_after_a_floor_line(pe, columns, ax):
    ax.axhline(-1)
    for column in reversed(columns):
        text = f"{wavelength(column, pe.shape[1]):.2f}".replace(".", ",")
        ax.plot(np.arange(len(pe)), pe.T[column], "--", label=f"{text} posiciones")
    ax.set(xlabel="posición", ylabel="valor")
    ax.legend(title="longitud de onda")


@ANSWERS.sample("draw_columns", "axes-swapped")
def rows_in_place_of_columns(pe, columns, ax):
    for column in columns:
        ax.plot(pe[column], label=f"{wavelength(column, pe.shape[1]):.1f} positions")
    finish(ax)


@ANSWERS.sample("draw_columns", "axes-swapped")
def position_on_the_y_axis(pe, columns, ax):
    for column in columns:
        ax.plot(pe[:, column], np.arange(len(pe)), label=f"{wavelength(column, pe.shape[1]):.1f} positions")
    finish(ax)


@ANSWERS.sample("draw_columns", "unlabelled")
def no_legend(pe, columns, ax):
    for column in columns:
        ax.plot(pe[:, column], label=f"{wavelength(column, pe.shape[1]):.1f} positions")
    ax.set(xlabel="position", ylabel="value")


@ANSWERS.sample("draw_columns", "unlabelled")
def no_axis_labels(pe, columns, ax):
    for column in columns:
        ax.plot(pe[:, column], label=f"{wavelength(column, pe.shape[1]):.1f} positions")
    ax.legend()


@ANSWERS.sample("draw_columns", "unknown")
def labelled_by_column(pe, columns, ax):
    for column in columns:
        ax.plot(pe[:, column], label=f"column {column}")
    finish(ax)


@ANSWERS.sample("draw_columns", "unknown")
def wavelength_of_the_raw_column(pe, columns, ax):
    for column in columns:
        ax.plot(pe[:, column], label=f"{2 * np.pi * 10000 ** (2 * column / pe.shape[1]):.1f} positions")
    finish(ax)


@ANSWERS.sample("draw_columns", "unknown")
def wavelengths_without_two_pi(pe, columns, ax):
    for column in columns:
        ax.plot(pe[:, column], label=f"{wavelength(column, pe.shape[1]) / (2 * np.pi):.1f} positions")
    finish(ax)


@ANSWERS.sample("draw_columns", "unlabelled")
def every_column(pe, columns, ax):
    ax.plot(pe)
    finish(ax)


@ANSWERS.sample("draw_columns", "unknown")
def positions_from_one(pe, columns, ax):
    for column in columns:
        ax.plot(np.arange(1, len(pe) + 1), pe[:, column], label=f"{wavelength(column, pe.shape[1]):.1f} positions")
    finish(ax)


# read_a_figure

READING = {"position 0": "left", "pairs": 3, "column 4": 2, "turns": 4, "cosine": "red"}
ANSWERS.append(Sample("read_a_figure", "as asked", READING))
SPELLED = {**READING, "position 0": " Left", "turns": np.int64(4), "pairs": 3.0}
ANSWERS.append(Sample("read_a_figure", "other spelling", SPELLED))
ANSWERS.append(Sample("read_a_figure", "the first lab's orientation", {**READING, "position 0": "top"}, ("unknown",)))
ANSWERS.append(Sample("read_a_figure", "rows counted from below", {**READING, "column 4": 5}, ("unknown",)))
ANSWERS.append(Sample("read_a_figure", "turns rounded up", {**READING, "turns": 5}, ("unknown",)))
ANSWERS.append(Sample("read_a_figure", "one question left out", {"position 0": "left", "pairs": 3}, ("unknown",)))
ANSWERS.append(Sample("read_a_figure", "a list", ["left", 3, 2, 4, "red"], ("unknown",)))
