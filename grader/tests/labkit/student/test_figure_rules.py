"""Each rule for figures accepts a correct drawing and names the fault in a wrong one, in both languages. Figures have safe colours."""

import base64
import io

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from colours import CONTRAST, contrast, on_white, too_close
from PIL import Image

from labkit.grade.judge.expect import Expectation
from labkit.student.calls.calling import call_answer, read_reply, received, reply
from labkit.student.calls.figure_rules import (
    draws_on_its_axes,
    follows,
    has_scale,
    is_labelled,
    shows_line,
    shows_lines,
)
from labkit.student.calls.image_rules import (
    colours_centre_on_zero,
    colours_diverge,
    has_colorbar,
    is_not_smoothed,
    shows_image,
)
from labkit.student.judging.observation import Observation
from labkit.student.judging.words import say
from labkit.student.model.course import Exercise, Probe
from labkit.student.notebook import figures
from labkit.student.notebook.figures import STYLE

LOSSES = (0.9, 0.5, 0.3, 0.25)
TABLE = np.array([[-1.0, 0.5, 0.0], [0.25, 1.0, -0.75]])
DRAW = Exercise(name="draw", kind="figure")


def seen(answer, *args, public=True, expected=None):
    """The observation of one call, with the drawing as it arrives from a kernel."""
    value = read_reply(reply(call_answer({"draw": answer}, "draw", "figure", args)))
    return Observation(DRAW, args, received(DRAW, Probe(args), value), expected, public=public)


def found(rule, answer, *args, **named):
    """The id of a rule's finding. Each finding must have words in both languages, with every field filled in."""
    finding = rule(seen(answer, *args, **named))
    if finding is None:
        return None
    words = [say("draw", finding, language) for language in ("en", "es")]
    assert words[0] != words[1] and "{" not in words[0] + words[1] and finding.id not in words[0]
    return finding.id


def words_of(rule, answer, *args, **named):
    return say("draw", rule(seen(answer, *args, **named)))


def plotted(*series, **style):
    return lambda values, ax: ax.plot(*series or (values,), **style)


LINES = [
    (plotted(), None),
    (plotted(LOSSES, marker="o", ls=""), None),
    (lambda values, ax: ax.step(range(4), values), None),
    (lambda values, ax: (ax.axhline(0), ax.plot(values)), None),
    (lambda values, ax: plt.plot(values), "drawn-elsewhere"),
    (lambda values, ax: None, "no-line"),
    (lambda values, ax: ax.scatter(range(4), values), "no-line"),
    (plotted(LOSSES[::-1]), "line-height"),
    (plotted([1, 2, 3, 4], LOSSES), "line-place"),
    (plotted(LOSSES, range(4)), "line-exchanged"),
    (plotted(LOSSES[:-1]), "line-points"),
    (plotted([1, 2, 3, 4], LOSSES[::-1]), "other-line"),
    (plotted([*LOSSES[:-1], np.nan]), "line-height"),
]


@pytest.mark.parametrize(("answer", "id"), LINES)
def test_a_line_shows_the_values(answer, id):
    assert found(shows_line(LOSSES), answer, LOSSES) == id
    assert found(shows_line(lambda values: values), answer, LOSSES) == id


def test_a_gap_has_to_be_a_gap():
    gap = (0.9, np.nan, 0.3)
    assert found(shows_line(gap), plotted(), gap) is None
    assert found(shows_line(gap), plotted((0.9, 0.5, 0.3)), gap) == "line-height"


def test_a_line_is_at_the_places_that_are_asked_for():
    steps = shows_line(LOSSES, x=lambda values: np.arange(1, len(values) + 1))
    assert found(steps, plotted([1, 2, 3, 4], LOSSES), LOSSES) is None
    assert found(steps, plotted(), LOSSES) == "line-place"
    assert "point 0 is at x = 0." in words_of(steps, plotted(), LOSSES)


@pytest.mark.parametrize(
    ("label", "legend", "id"),
    [("Training loss", True, None), ("Training loss", False, "not-in-legend"), ("accuracy", True, "no-line-label"), (None, False, "no-line-label")],
)  # fmt: skip
def test_a_line_has_its_label_in_the_legend(label, legend, id):
    def answer(values, ax):
        ax.plot(values, label=label)
        if legend:
            ax.legend()

    assert found(shows_line(LOSSES, label="loss"), answer, LOSSES) == id
    tested = shows_line(LOSSES, label=lambda text: text.endswith("loss"))
    assert found(tested, answer, LOSSES) == (id and id.replace("no-line-label", "no-label-fits"))


def test_without_values_a_line_is_compared_with_the_reference():
    assert found(shows_line(), plotted(), LOSSES, expected=np.array(LOSSES)) is None
    assert found(shows_line(), plotted(LOSSES[::-1]), LOSSES, expected=np.array(LOSSES)) == "line-height"


def test_a_test_cannot_leave_out_the_values_by_mistake():
    with pytest.raises(ValueError, match="needs values here"):
        Expectation.follows(None, is_labelled(), shows_line())


def test_as_many_lines_as_there_are_rows():
    rule = shows_lines(lambda table: table)
    assert found(rule, lambda table, ax: ax.plot(table.T), TABLE) is None
    assert found(rule, lambda table, ax: (ax.plot(table.T), ax.axhline(0)), TABLE) is None
    assert found(rule, lambda table, ax: ax.plot(table), TABLE) == "line-count"
    assert found(rule, lambda table, ax: ax.plot(-table.T), TABLE) == "line-missing"
    assert found(rule, lambda table, ax: plt.plot(table.T), TABLE) == "drawn-elsewhere"


def test_missing_labels_are_named():
    def answer(values, ax):
        ax.plot(values, label="loss")
        ax.set(xlabel="step", ylabel=" ", title="Loss")

    assert words_of(is_labelled(), answer, LOSSES).startswith("Your figure still needs a label on the y axis.")
    assert found(is_labelled("xlabel", "title"), answer, LOSSES) is None
    assert "a legend, a colour bar" in words_of(is_labelled("legend", "colorbar"), answer, LOSSES)
    assert found(is_labelled(), lambda values, ax: (plt.plot(values), plt.xlabel("x")), LOSSES) == "drawn-elsewhere"
    with pytest.raises(ValueError, match="but not xlable"):
        is_labelled("xlable")


def test_a_scale_is_one_of_those_that_are_asked_for():
    rule = has_scale("y", "log", "symlog")
    assert found(rule, lambda values, ax: ax.semilogy(values), LOSSES) is None
    assert found(rule, plotted(), LOSSES) == "other-scale"
    assert "a logarithmic one, a symmetric logarithmic one" in words_of(rule, plotted(), LOSSES)
    with pytest.raises(ValueError, match="call has_scale like this"):
        has_scale("z", "log")


@pytest.mark.parametrize("place", ["left", "center", "right"])
def test_nothing_is_drawn_elsewhere(place):
    with plt.rc_context({"axes.titlelocation": place}):  # a lab's style has titles on the left
        assert found(draws_on_its_axes, plotted(), LOSSES) is None
        assert (
            found(draws_on_its_axes, lambda values, ax: (ax.plot(values), plt.title("Loss")), LOSSES)
            == "drawn-elsewhere"
        )


GOOD = {"cmap": "RdBu", "vmin": -1, "vmax": 1, "interpolation": "nearest"}


def pictured(change=lambda table: table, bars=1, **style):
    def answer(table, ax):
        image = ax.imshow(change(table), **{**GOOD, **style})
        for _ in range(bars):
            ax.figure.colorbar(image, ax=ax)

    return answer


RULES = [make(lambda table: table) for make in (shows_image, colours_centre_on_zero, colours_diverge, is_not_smoothed, has_colorbar)]  # fmt: skip
IMAGES = [
    (pictured(), None),
    (pictured(lambda table: table.T), "image-swapped"),
    (pictured(origin="lower"), "image-upside-down"),
    (pictured(lambda table: table[:, ::-1]), "image-mirrored"),
    (pictured(extent=(10, 13, 12, 10)), "image-numbers"),
    (pictured(lambda table: -table), "other-image"),
    (pictured(vmin=-0.5), "colour-limits"),
    (pictured(vmin=-0.5, vmax=0.5), "colours-clipped"),
    (pictured(vmin=-5, vmax=5), "colours-washed-out"),
    (pictured(cmap="viridis"), "colour-map"),
    (pictured(interpolation="bilinear"), "image-smoothed"),
    (pictured(bars=0), "missing-parts"),
    (pictured(bars=2), "many-colorbars"),
    (lambda table, ax: plt.imshow(table, **GOOD), "drawn-elsewhere"),
    (lambda table, ax: ax.plot(table), "no-image"),
    (lambda table, ax: (ax.imshow(table), ax.imshow(table)), "many-images"),
]


@pytest.mark.parametrize(("answer", "id"), IMAGES)
def test_a_picture_has_one_fault_at_a_time(answer, id):
    drawn = seen(answer, TABLE)
    broken = list(filter(None, (rule(drawn) for rule in RULES)))
    assert (broken[0].id if broken else None) == id == (follows(*RULES)(drawn) and follows(*RULES)(drawn).id)
    alone = id not in ("other-image", "drawn-elsewhere", "no-image", "many-images")
    assert len(broken) == (0 if id is None else 1 if alone else len(RULES))


@pytest.mark.parametrize("number", [0.125, 7.5])
def test_drawn_values_never_appear_in_a_rules_findings(number):
    """If findings repeated what an answer drew, the answer could use them to reveal hidden arguments."""
    answers = [
        plotted((number,) * 4),
        plotted((number,) * 3),
        plotted([number, 1, 2, 3], LOSSES),
        plotted(LOSSES, label=str(number)),
        pictured(vmin=-number),
        pictured(lambda table: np.full((2, 3), number)),
        pictured(extent=(number, 3, 2, 0)),
    ]
    rules = [shows_line(LOSSES), shows_line(LOSSES, label=lambda text: True), has_scale("x", "log")]
    for answer in answers:
        of_a_line = answer in answers[:4]
        drawn = seen(answer, LOSSES if of_a_line else TABLE, public=False)
        for finding in filter(None, (rule(drawn) for rule in (rules if of_a_line else RULES))):
            told = say("draw", finding) + say("draw", finding, "es")
            assert str(number) not in told and f"{number:.3g}" not in told


def test_a_value_that_is_not_a_figure_breaks_every_rule():
    for rule in (shows_line(LOSSES), is_labelled(), draws_on_its_axes, *RULES):
        assert rule(Observation(DRAW, (LOSSES,), 3.0)).id == "no-figure"


def test_colours_contrast_with_white_and_with_each_other():
    cycle = matplotlib.rc_params_from_file(STYLE, use_default_template=False)["axes.prop_cycle"]
    colours = {name: on_white(name) for name in cycle.by_key()["color"]}
    assert {name: contrast(rgb) for name, rgb in colours.items() if contrast(rgb) < CONTRAST} == {}
    assert too_close(colours) == []


def test_pale_or_similar_colours_are_found():
    assert contrast(on_white("#E69F00")) < CONTRAST < contrast(on_white("0"))
    assert too_close({"one": on_white("#0072B2"), "other": on_white("#0076B0")})


def test_a_shown_figure_keeps_the_colours_of_its_colour_bar():
    figure, ax = plt.subplots()
    image = ax.imshow(np.linspace(-0.5, 1.5, 12).reshape(3, 4), cmap="RdBu_r", vmin=-1.5, vmax=1.5)
    bar = figure.colorbar(image).ax
    stored = base64.b64decode(figures._address(figure).split(",")[1])
    figure.dpi *= 2
    drawn, seen = (np.asarray(each).astype(int) for each in (figures.pixels_of(figure), Image.open(io.BytesIO(stored))))
    (left, low), (right, high) = bar.get_window_extent().get_points().astype(int)
    inside = slice(len(drawn) - high + 4, len(drawn) - low - 4), (left + right) // 2
    assert np.abs(drawn[inside] - seen[inside]).max() < 30
    plt.close(figure)
