"""A figure is read from its Axes exactly as a reader sees it."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.cm import ScalarMappable
from matplotlib.colors import BoundaryNorm, ListedColormap, Normalize
from matplotlib.patches import Circle
from matplotlib.transforms import Affine2D, Bbox, TransformedBbox

from labkit.student.calls import wire
from labkit.student.calls.axes import Drawing
from labkit.student.calls.calling import call_answer
from labkit.student.calls.snapshot import snapshot
from labkit.student.calls.wire import Malformed

TABLE = np.arange(12.0).reshape(4, 3)


def drawing_of(ax):
    """The drawing as it arrives from a kernel."""
    return Drawing.from_plain(wire.loads(wire.dumps(snapshot(ax))))


def seen(ax):
    drawing = drawing_of(ax)
    return drawing.seen(drawing.images[0])


@pytest.mark.parametrize("method", ["imshow", "matshow", "pcolormesh", "pcolor", "pcolorfast"])
@pytest.mark.parametrize("inverted", [False, True])
@pytest.mark.parametrize("mirrored", [False, True])
def test_values_are_read_at_their_positions(ax, method, inverted, mirrored):
    getattr(ax, method)(TABLE)
    if inverted:
        ax.invert_yaxis()
    if mirrored:
        ax.invert_xaxis()
    upright = (method in ("imshow", "matshow")) != inverted
    wanted = (TABLE if upright else TABLE[::-1])[:, :: -1 if mirrored else 1]
    assert np.array_equal(seen(ax)[0], wanted)


@pytest.mark.parametrize("origin", ["upper", "lower"])
@pytest.mark.parametrize("extent", [(0, 3, 0, 4), (0, 3, 4, 0), (3, 0, 0, 4)])
def test_an_extent_moves_the_axes_readings_with_the_picture(ax, origin, extent):
    ax.imshow(TABLE, origin=origin, extent=extent)
    values, y, x = seen(ax)
    assert np.array_equal(values, TABLE if origin == "upper" else TABLE[::-1])
    assert (y[0] > y[-1]) == (extent[2] < extent[3])
    assert (x[0] < x[-1]) == (extent[0] < extent[1])


def test_rows_outside_the_limits_are_not_seen(ax):
    ax.imshow(TABLE)
    ax.set_ylim(1.4, -0.5)
    assert np.array_equal(seen(ax)[0], TABLE[:2])


def test_a_hidden_picture_is_none(ax):
    ax.imshow(TABLE).set_visible(False)
    assert drawing_of(ax).images == ()


def test_a_bent_mesh_shows_no_table(ax):
    x, y = np.meshgrid(np.arange(4.0), np.arange(5.0))
    ax.pcolormesh(x + y**2, y - x, TABLE)
    assert seen(ax)[0].size == 0


def test_auto_is_resolved_by_the_size_of_a_cell(ax):
    ax.imshow(TABLE, interpolation="auto")
    assert drawing_of(ax).images[0].interpolation == "nearest"
    ax.images[0].remove()
    ax.imshow(np.zeros((1000, 3)), interpolation="auto")
    assert drawing_of(ax).images[0].interpolation == "hanning"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda plain: plain.pop("title"),
        lambda plain: plain.update(more=1),
        lambda plain: plain.update(title=3),
        lambda plain: plain.update(colorbars=-1),
        lambda plain: plain.update(colorbars=True),
        lambda plain: plain.update(xlim=(0.0,)),
        lambda plain: plain.update(legend=("a", 1)),
        lambda plain: plain.update(images={}),
        lambda plain: plain["images"][0].update(y=np.zeros(7)),
        lambda plain: plain["images"][0].update(values=np.zeros((4, 3), dtype=complex)),
        lambda plain: plain["images"][0].update(colours=np.zeros((2, 4))),
        lambda plain: plain["lines"][0].update(x=np.zeros((2, 2))),
        lambda plain: plain["lines"].append("a line"),
    ],
)
def test_a_drawing_that_the_snapshot_cannot_have_written_is_refused(ax, spoil):
    ax.imshow(TABLE)
    ax.plot([0, 1], [1, 2], label="two points")
    plain = snapshot(ax)
    Drawing.from_plain(plain)
    spoil(plain)
    with pytest.raises(Malformed):
        Drawing.from_plain(plain)


def nowhere(ax, image):
    ax.set_position([2, 2, 1, 1])


def clipped_by_a_box(ax, image):
    image.set_clip_box(TransformedBbox(Bbox([[0, 0], [0.5, 1]]), ax.transAxes))


def clipped_by_a_circle(ax, image):
    image.set_clip_path(Circle((1, 1), 0.5, transform=ax.transData))


UNSEEN = {
    "a picture clipped to a half": clipped_by_a_box,
    "a picture clipped to a circle": clipped_by_a_circle,
    "a transparent picture": lambda ax, image: image.set_alpha(0),
    "one that is transparent in places": lambda ax, image: image.set_alpha(np.eye(4, 3)),
    "an invisible Axes": lambda ax, image: ax.set_visible(False),
    "an Axes beside the paper": nowhere,
}


@pytest.mark.parametrize("hide", UNSEEN.values(), ids=UNSEEN)
def test_invisible_artists_are_not_in_the_drawing(ax, hide):
    image, _ = ax.imshow(TABLE), ax.plot([1, 2])
    assert len(drawing_of(ax).images) == len(drawing_of(ax).lines) == 1
    hide(ax, image)
    assert drawing_of(ax).images == ()


def test_colours_are_those_of_the_artists_own_norm(ax):
    plain = drawing_of_image(ax, norm=None).colours
    assert np.allclose(drawing_of_image(ax, norm=Turned(0, 11)).colours, plain[::-1], atol=0.02)
    assert len(np.unique(drawing_of_image(ax, norm=BoundaryNorm([0, 5, 11], 256)).colours, axis=0)) == 2


class Turned(Normalize):
    """A norm that reverses the colour map."""

    def __call__(self, value, clip=None):
        return 1 - super().__call__(value, clip)


def drawing_of_image(ax, norm):
    ax.clear()
    ax.imshow(TABLE, norm=norm)
    return drawing_of(ax).images[0]


def test_a_picture_that_a_transform_moves_has_no_readable_places(ax):
    image = ax.imshow(TABLE)
    image.set_transform(Affine2D().scale(-1, 1) + ax.transData)
    values, _, _ = seen(ax)
    assert values.size == 0


def test_only_colour_bars_count_as_such_and_only_a_legend_that_shows(ax):
    image = ax.imshow(TABLE)
    ax.plot([1, 2], label="a line")
    ax.figure.add_axes([0.9, 0.1, 0.05, 0.8], label="<colorbar>")
    ax.legend()
    assert drawing_of(ax).colorbars == 0 and drawing_of(ax).legend == ("a line",)
    ax.figure.colorbar(image)
    ax.get_legend().set_visible(False)
    assert drawing_of(ax).colorbars == 1 and drawing_of(ax).legend == ()


@pytest.mark.parametrize("ink", [{"linestyle": ""}, {"linewidth": 0}, {"alpha": 0.01}, {"visible": False}])
def test_a_line_without_ink_is_none(ax, ink):
    ax.plot([1, 2], **ink)
    ax.plot([1, 2], linestyle="", marker="o")
    assert len(drawing_of(ax).lines) == 1


def test_a_line_in_other_coordinates_does_not_count(ax):
    ax.plot([0, 1], [0, 1], transform=ax.transAxes)
    ax.axhline(0)
    assert drawing_of(ax).lines == ()


def test_words_that_only_the_legend_has_are_those_of_the_line_that_looks_so(ax):
    first, second = ax.plot([1, 2]) + ax.plot([2, 1], "--")
    ax.legend([second, first], ["falls", "rises"])
    assert [line.label for line in drawing_of(ax).lines] == ["rises", "falls"]


def bar_beside(ax, image):
    ax.figure.colorbar(image, ax=ax)


def bar_in_an_inset(ax, image):
    ax.figure.colorbar(image, cax=ax.inset_axes([1.05, 0, 0.05, 1]))


def bar_in_axes_of_its_own(ax, image):
    ax.figure.colorbar(image, cax=ax.figure.add_axes([0.92, 0.1, 0.03, 0.8]))


def bar_of_the_same_colours(ax, image):
    ax.figure.colorbar(ScalarMappable(image.norm, image.cmap), ax=ax)


@pytest.mark.parametrize("draw", [bar_beside, bar_in_an_inset, bar_in_axes_of_its_own, bar_of_the_same_colours])
def test_a_colour_bar_belongs_to_the_picture_whose_colours_it_shows(ax, draw):
    draw(ax, ax.imshow(TABLE))
    drawing = drawing_of(ax)
    assert drawing.images[0].bars == drawing.colorbars == 1 and drawing.elsewhere == 0


@pytest.mark.parametrize("other", [{"norm": Normalize(0, 5)}, {"norm": Normalize(0, 11), "cmap": "hot"}])
def test_a_colour_bar_of_other_colours_is_not_the_pictures(ax, other):
    ax.imshow(TABLE)
    ax.figure.colorbar(ScalarMappable(**other), ax=ax)
    drawing = drawing_of(ax)
    assert drawing.images[0].bars == 0 and drawing.colorbars == 1


def test_colours_are_those_on_white_paper(ax):
    ax.imshow(TABLE, cmap=ListedColormap([(0, 0, 0, 0.5), (0, 0, 0, 1)]))
    assert np.allclose(drawing_of(ax).images[0].colours[[0, -1]], [[0.5, 0.5, 0.5, 1], [0, 0, 0, 1]])


ELSEWHERE = {
    "a picture on a twin": lambda ax: ax.twinx().imshow(TABLE),
    "one over the whole figure": lambda ax: ax.figure.figimage(TABLE),
    "a line in an inset": lambda ax: ax.inset_axes([0.5, 0.5, 0.4, 0.4]).plot([1, 2]),
    "a line on the current Axes": lambda ax: plt.plot([1, 2]),
    "a label there": lambda ax: plt.ylabel("position"),
    "a colour bar there": lambda ax: plt.colorbar(plt.imshow(TABLE)),
    "a legend there": lambda ax: plt.legend([], []),
}


@pytest.mark.parametrize("draw", ELSEWHERE.values(), ids=ELSEWHERE)
def test_artists_on_other_axes_are_counted(draw):
    plain = call_answer({"answer": draw}, "answer", "figure", ())
    assert Drawing.from_plain(plain).elsewhere > 0 and not plt.get_fignums()


@pytest.mark.filterwarnings("ignore:Adding colorbar")
def test_artists_on_the_axes_do_not_count_as_elsewhere():
    def answer(ax):
        plt.colorbar(ax.imshow(TABLE))
        ax.secondary_xaxis("top")
        ax.plot([1, 2], label="a line")
        ax.legend()
        plt.sca(ax)
        plt.title("here")

    drawing = Drawing.from_plain(call_answer({"answer": answer}, "answer", "figure", ()))
    assert drawing.elsewhere == 0 and drawing.title == "here" and drawing.colorbars == drawing.images[0].bars == 1
