"""Lab 02, heatmap: wrong answers to `draw_heatmap`."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import (
    BoundaryNorm,
    Normalize,
    TwoSlopeNorm,
)
from matplotlib.patches import Circle
from matplotlib.transforms import Affine2D

from autograder.samples import Samples

from .draw_heatmap_right import labelled, plain

ANSWERS = Samples()


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


@ANSWERS.sample("draw_heatmap", "asymmetric-limits")
def only_the_lower_limit(pe, ax):
    labelled(plain(pe, ax, vmax=None), ax)


@ANSWERS.sample("draw_heatmap", "asymmetric-limits")
def only_the_upper_limit(pe, ax):
    labelled(plain(pe, ax, vmin=None), ax)


@ANSWERS.sample("draw_heatmap", "unknown")
def neutral_at_the_mean(pe, ax):
    labelled(ax.imshow(pe, cmap="RdBu", norm=TwoSlopeNorm(pe.mean(), -1, 1), interpolation="nearest"), ax)


@ANSWERS.sample("draw_heatmap", "sequential-colormap")
def two_colours_only(pe, ax):
    labelled(ax.imshow(pe, cmap="RdBu", norm=BoundaryNorm([-1, 0, 1], 256), interpolation="nearest"), ax)


@ANSWERS.sample("draw_heatmap", "unlabelled")
def labels_that_say_nothing(pe, ax):
    labelled(plain(pe, ax), ax, ".", "-")


@ANSWERS.sample("draw_heatmap", "unlabelled")
def a_hidden_bar(pe, ax):
    image = plain(pe, ax)
    ax.set(xlabel="dimension", ylabel="position")
    ax.figure.colorbar(image, ax=ax).ax.set_visible(False)


@ANSWERS.sample("draw_heatmap", "unlabelled")
def an_empty_axes_called_a_bar(pe, ax):
    plain(pe, ax)
    ax.set(xlabel="dimension", ylabel="position")
    ax.figure.add_axes([0.9, 0.1, 0.05, 0.8], label="<colorbar>")


@ANSWERS.sample("draw_heatmap", "unknown")
def bar_of_something_else(pe, ax):
    plain(pe, ax)
    ax.set(xlabel="dimension", ylabel="position")
    ax.figure.colorbar(ScalarMappable(Normalize(0, 1), "viridis"), ax=ax)


@ANSWERS.sample("draw_heatmap", "unknown")
def on_the_current_axes(pe, ax):
    plt.imshow(pe, cmap="RdBu", vmin=-1, vmax=1, interpolation="nearest")
    plt.xlabel("dimension")
    plt.ylabel("position")
    plt.colorbar()


@ANSWERS.sample("draw_heatmap", "unknown")
def labels_on_the_current_axes(pe, ax):
    image = plain(pe, ax)
    plt.xlabel("dimension")
    plt.ylabel("position")
    ax.figure.colorbar(image, ax=ax)


@ANSWERS.sample("draw_heatmap", "unknown")
def all_but_transparent(pe, ax):
    labelled(plain(pe, ax, alpha=0.01), ax)


@ANSWERS.sample("draw_heatmap", "unknown")
def turned_by_a_transform(pe, ax):
    image = plain(pe, ax)
    image.set_transform(Affine2D().scale(1, -1).translate(0, len(pe) - 1) + ax.transData)
    labelled(image, ax)


@ANSWERS.sample("draw_heatmap", "unknown")
def clipped_to_a_corner(pe, ax):
    image = plain(pe, ax)
    image.set_clip_path(Circle((0, 0), 3, transform=ax.transData))
    labelled(image, ax)


@ANSWERS.sample("draw_heatmap", "unknown")
def another_picture_over_it(pe, ax):
    labelled(plain(pe, ax), ax)
    plain(-pe, ax.twinx())


@ANSWERS.sample("draw_heatmap", "unknown")
def limits_of_plus_and_minus_the_largest_entry(pe, ax):
    labelled(plain(pe, ax, vmin=-pe.max(), vmax=pe.max()), ax)


@ANSWERS.sample("draw_heatmap", "unknown")
def limits_of_plus_and_minus_the_smallest_entry(pe, ax):
    labelled(plain(pe, ax, vmin=pe.min(), vmax=-pe.min()), ax)
