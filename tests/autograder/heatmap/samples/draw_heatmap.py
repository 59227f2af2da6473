"""Lab 02, heatmap: wrong answers to `draw_heatmap`."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import BoundaryNorm, Normalize, TwoSlopeNorm
from matplotlib.patches import Circle
from matplotlib.transforms import Affine2D

from autograder.samples import Samples

from .draw_heatmap_right import finished, labelled, plain, with_bar

ANSWERS = Samples()


def wrong(*mistakes, **pictures):
    """Add answers that draw a wrong image, with correct labels and colour bar."""
    ANSWERS.several("draw_heatmap", *mistakes, **{style: finished(picture) for style, picture in pictures.items()})


def with_options(**options):
    return lambda pe, ax: plain(pe, ax, **options)


def of_table(change, **options):
    return lambda pe, ax: plain(change(pe), ax, **options)


def with_norm(norm):
    return lambda pe, ax: ax.imshow(pe, cmap="RdBu", norm=norm(pe), interpolation="nearest")


def mesh(change=lambda pe: pe, **options):
    return lambda pe, ax: ax.pcolormesh(change(pe), cmap="RdBu", vmin=-1, vmax=1, **options)


def then(draw, after):
    """Draw an image with `draw`, then change the image or its Axes."""

    def picture(pe, ax):
        image = draw(pe, ax)
        after(pe, ax, image)
        return image

    return picture


wrong("axes-swapped", transposed_from_below=of_table(np.transpose, origin="lower"), transposed_mesh=mesh(np.transpose))
wrong(
    "asymmetric-limits",
    limits_left_to_the_data=with_options(vmin=None, vmax=None),
    limits_from_zero=with_options(vmin=0),
    only_the_lower_limit=with_options(vmax=None),
    only_the_upper_limit=with_options(vmin=None),
    zero_in_the_middle_of_two_slopes=with_norm(lambda pe: TwoSlopeNorm(0, -0.5, 1)),
)
wrong(
    "sequential-colormap",
    viridis=with_options(cmap="viridis"),
    the_map_of_bare_matplotlib=with_options(cmap=None),
    jet=with_options(cmap="jet"),
    cyclic_map_with_equal_ends=with_options(cmap="twilight_shifted"),
    two_colours_only=with_norm(lambda pe: BoundaryNorm([-1, 0, 1], 256)),
)
wrong(
    "origin-flipped",
    origin_lower=with_options(origin="lower"),
    rows_reversed=of_table(np.flipud),
    mesh_left_as_it_comes=mesh(),
    extent_that_counts_from_the_bottom=lambda pe, ax: plain(pe, ax, extent=(0, pe.shape[1], 0, pe.shape[0])),
    turned_by_half_a_turn=then(plain, lambda pe, ax, image: (ax.invert_yaxis(), ax.invert_xaxis())),
)
wrong(
    "smoothed",
    bilinear=with_options(interpolation="bilinear"),
    left_to_matplotlib=with_options(interpolation="auto"),
    gouraud=then(mesh(shading="gouraud"), lambda pe, ax, image: ax.invert_yaxis()),
)
wrong(
    "unknown",
    columns_mirrored=of_table(np.fliplr),
    x_axis_inverted=then(plain, lambda pe, ax, image: ax.invert_xaxis()),
    axes_that_count_from_one=lambda pe, ax: plain(pe, ax, extent=(0.5, pe.shape[1] + 0.5, pe.shape[0] + 0.5, 0.5)),
    always_the_same_table=of_table(lambda pe: np.zeros((64, 32))),
    half_out_of_sight=then(plain, lambda pe, ax, image: ax.set_ylim(len(pe) / 2, -0.5)),
    values_made_positive=of_table(lambda pe: (pe + 1) / 2),
    limits_too_narrow=with_options(vmin=-0.5, vmax=0.5),
    limits_far_too_wide=with_options(vmin=-10, vmax=10),
    limits_of_plus_and_minus_the_largest_entry=lambda pe, ax: plain(pe, ax, vmin=-pe.max(), vmax=pe.max()),
    limits_of_plus_and_minus_the_smallest_entry=lambda pe, ax: plain(pe, ax, vmin=pe.min(), vmax=-pe.min()),
    neutral_at_the_mean=with_norm(lambda pe: TwoSlopeNorm(pe.mean(), -1, 1)),
    finished_colours=lambda pe, ax: ax.imshow(plt.get_cmap("RdBu")((pe + 1) / 2), aspect="auto"),
    all_but_transparent=with_options(alpha=0.01),
    turned_by_a_transform=then(
        plain,
        lambda pe, ax, image: image.set_transform(Affine2D().scale(1, -1).translate(0, len(pe) - 1) + ax.transData),
    ),
    clipped_to_a_corner=then(
        plain, lambda pe, ax, image: image.set_clip_path(Circle((0, 0), 3, transform=ax.transData))
    ),
    another_picture_over_it=then(plain, lambda pe, ax, image: plain(-pe, ax.twinx())),
)


def with_labels(xlabel, ylabel):
    return lambda pe, ax: labelled(plain(pe, ax), ax, xlabel, ylabel)


ANSWERS.several(
    "draw_heatmap",
    "unlabelled",
    without_axis_labels=lambda pe, ax: ax.figure.colorbar(plain(pe, ax), ax=ax),
    without_a_colour_bar=with_bar(lambda image, ax: None),
    with_blank_labels=with_labels(" ", " "),
    labels_that_say_nothing=with_labels(".", "-"),
    a_hidden_bar=with_bar(lambda image, ax: ax.figure.colorbar(image, ax=ax).ax.set_visible(False)),
    an_empty_axes_called_a_bar=with_bar(
        lambda image, ax: ax.figure.add_axes([0.9, 0.1, 0.05, 0.8], label="<colorbar>")
    ),
)
ANSWERS.several(
    "draw_heatmap", "axes-swapped", transposed=lambda pe, ax: with_labels("position", "dimension")(pe.T, ax)
)
ANSWERS.several("draw_heatmap", "unknown", labels_exchanged=with_labels("position", "dimension"))
ANSWERS.several("draw_heatmap", "unknown", nothing_drawn=lambda pe, ax: ax.set(xlabel="dimension", ylabel="position"))
bar_of_something_else = with_bar(
    lambda image, ax: ax.figure.colorbar(ScalarMappable(Normalize(0, 1), "viridis"), ax=ax)
)
ANSWERS.several("draw_heatmap", "unknown", bar_of_something_else=bar_of_something_else)


@ANSWERS.sample("draw_heatmap", "axes-swapped", "asymmetric-limits", "sequential-colormap", "unlabelled")
def a_bare_imshow_of_the_transposed_table(pe, ax):
    ax.imshow(pe.T, interpolation="nearest")


@ANSWERS.sample("draw_heatmap", "unknown")
def drawn_on_another_figure(pe, ax):
    figure, other = plt.subplots()
    labelled(plain(pe, other), other)
    plt.close(figure)


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
