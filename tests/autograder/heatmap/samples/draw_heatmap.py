"""Lab 02, heatmap: right and wrong answers to `draw_heatmap`."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import BoundaryNorm, CenteredNorm, LinearSegmentedColormap, Normalize, TwoSlopeNorm
from matplotlib.patches import Circle
from matplotlib.transforms import Affine2D
from mpl_toolkits.axes_grid1 import make_axes_locatable

from autograder.samples import Samples

ANSWERS = Samples()
right = ANSWERS.sample("draw_heatmap")


def labelled(image, ax, xlabel="dimension", ylabel="position"):
    """Label the axes and add a colour bar, as most samples do."""
    ax.set(xlabel=xlabel, ylabel=ylabel)
    ax.figure.colorbar(image, ax=ax, label="value")


def plain(pe, ax, **changes):
    """Draw a correct picture, with the given `imshow` options changed."""
    options = {"cmap": "RdBu_r", "vmin": -1, "vmax": 1, "aspect": "auto", "interpolation": "nearest"} | changes
    return ax.imshow(pe, **options)


def finished(draw):
    """Make an answer that draws an image with `draw`, then adds labels and a colour bar."""
    return lambda pe, ax: labelled(draw(pe, ax), ax)


ANSWERS.several(
    "draw_heatmap",
    imshow=finished(plain),
    half_transparent=finished(lambda pe, ax: plain(pe, ax, cmap="seismic", alpha=0.8)),
    extent_that_counts_from_the_top=finished(
        lambda pe, ax: plain(pe, ax, extent=(0, pe.shape[1], pe.shape[0], 0), cmap="Spectral")
    ),
)


@right
def matshow_coolwarm(pe, ax):
    image = ax.matshow(pe, cmap="coolwarm", vmin=-1, vmax=1, aspect="auto")
    ax.set_xlabel("column")
    ax.set_ylabel("row")
    plt.colorbar(image)


@right
def pcolormesh_with_inverted_axis(pe, ax):
    mesh = ax.pcolormesh(pe, cmap=plt.get_cmap("seismic"), vmin=-1, vmax=1)
    ax.invert_yaxis()
    labelled(mesh, ax, "i", "p")


@right
def pcolormesh_with_centres_and_limits(pe, ax):
    T, d = pe.shape
    mesh = ax.pcolormesh(np.arange(d), np.arange(T), pe, cmap="PuOr", norm=Normalize(-1, 1), shading="nearest")
    ax.set_ylim(T - 0.5, -0.5)
    labelled(mesh, ax)


@right
def pcolor_upside_down_twice(pe, ax):
    T, d = pe.shape
    mesh = ax.pcolor(np.arange(d + 1), np.arange(T, -1, -1), pe[::-1], cmap="BrBG", norm=CenteredNorm())
    ax.yaxis.set_inverted(True)
    labelled(mesh, ax)


@right
def mesh_of_the_transposed_table_with_transposed_coordinates(pe, ax):
    y, x = np.meshgrid(np.arange(pe.shape[0] + 1), np.arange(pe.shape[1] + 1))
    mesh = ax.pcolormesh(x, y, pe.T, cmap="RdBu", vmin=-1, vmax=1)
    ax.invert_yaxis()
    labelled(mesh, ax)


@right
def own_map_with_dark_middle_and_limits_from_the_data(pe, ax):
    own = LinearSegmentedColormap.from_list("own", ["gold", "black", "deepskyblue"])
    top = np.abs(pe).max()
    labelled(ax.imshow(pe.astype(float), cmap=own, clim=(-top, top), interpolation="none"), ax)


@right
def origin_lower_with_inverted_axis(pe, ax):
    image = plain(pe, ax, origin="lower", cmap="bwr")
    ax.set_ylim(ax.get_ylim()[::-1])
    labelled(image, ax)


@right
def later_limits_few_colours_and_a_bar_below(pe, ax):
    image = ax.imshow(pe, cmap=plt.get_cmap("RdBu", 11), interpolation="nearest", aspect="auto")
    image.set_clim(-1, 1)
    ax.axhline(8, color="k", lw=0.5)
    ax.set(xlabel="dimension", ylabel="position", title="The table", xticks=range(0, pe.shape[1], 2))
    ax.figure.colorbar(image, ax=ax, orientation="horizontal")
    return ax


def with_bar(bar):
    """Make an answer that draws a correct picture, labels its axes, and adds a colour bar with `bar`."""

    def answer(pe, ax):
        image = plain(pe, ax)
        ax.set(xlabel="dimension", ylabel="position")
        bar(image, ax)

    return answer


def bar_axes(ax):
    return make_axes_locatable(ax).append_axes("right", size="5%", pad=0.05)


ANSWERS.several(
    "draw_heatmap",
    bar_of_a_mappable_of_its_own=with_bar(
        lambda image, ax: plt.colorbar(ScalarMappable(image.norm, image.cmap), ax=ax)
    ),
    bar_in_an_inset=with_bar(lambda image, ax: ax.figure.colorbar(image, cax=ax.inset_axes([1.03, 0, 0.04, 1]))),
    bar_beside_by_a_divider=with_bar(lambda image, ax: ax.figure.colorbar(image, cax=bar_axes(ax))),
)


@right
def pyplot_made_to_draw_here(pe, ax):
    plt.sca(ax)
    plt.imshow(pe, cmap="RdBu", vmin=-1, vmax=1, aspect="auto", interpolation="nearest")
    plt.xlabel("dimension")
    plt.ylabel("position")
    plt.colorbar()


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
