"""Lab 02, heatmap: right answers to `draw_heatmap`."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import CenteredNorm, LinearSegmentedColormap, Normalize
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
