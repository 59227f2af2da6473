"""Every figure of a solved lab has labels, a description, and colours that colour-blind readers can see and tell apart."""

import inspect
import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import pytest
from colours import CONTRAST, VISIONS, blurred, contrast, on_white, too_close
from lab_words import shown_by
from matplotlib.cm import ScalarMappable
from matplotlib.colors import to_rgba

from autograder.base_sweep import reference
from autograder.build_the_table import reference as build
from autograder.dot_product_decay import reference as decay
from autograder.heatmap import reference as heat
from autograder.look_back import reference as back
from autograder.order_for_attention import reference as order
from autograder.rotation_proof import reference as proof
from autograder.samples import all_samples
from encoding_labs import COURSE
from encoding_labs.base_sweep import figures as of_sweep
from encoding_labs.build_the_table import figures as of_table
from encoding_labs.build_the_table import numbering
from encoding_labs.dot_product_decay import figures as of_decay
from encoding_labs.heatmap import aliasing
from encoding_labs.heatmap import figures as of_heatmap
from encoding_labs.heatmap.figures import grouped
from encoding_labs.look_back import figures as of_back
from encoding_labs.order_for_attention import figures as of_order
from encoding_labs.precision_and_cost import figures as of_precision
from encoding_labs.rotation_proof import figures as of_proof
from labkit.author.source import percent
from labkit.student.model import project
from labkit.student.notebook import figures
from labkit.student.notebook.look import look

REPR = re.compile(  # values as Python writes them; a tuple such as "(24, 16)" is allowed, because people write shapes like that
    r"\{[^}]*:|\b(?:array|float\d*|int\d*|dtype|dict|set|list|range)\s*[(=]|\bnp\.\w|\bNone\b|<[\w.]+ |"
    r"\[\s*-?[\d.]+(?:[\s,]+-?[\d.]+)+\s*\]|\d\.\d{7,}"
)


class Shown(NamedTuple):
    """What a lab shows: each figure's faults and description, and the descriptions of pictures drawn by the browser."""

    faults: list[list[str]]
    words: list[str]
    of_moving: list[str]


def shown_by_the_solved(name: str) -> Shown:
    """Run the solved lab and collect what it shows."""
    patch = pytest.MonkeyPatch()
    found = Shown([], [], [])
    patch.setattr(figures, "_address", lambda figure: found.faults.append([*faults_of(figure)]) or "")

    def display(data, **_):
        if "<img " not in data["text/html"]:  # a table
            return
        (found.of_moving if "data:image/svg" in data["text/html"] else found.words).append(data["text/plain"])

    patch.setattr("IPython.display.display", display)
    patch.delenv(figures.NO_PICTURES, raising=False)
    patch.setattr(plt, "show", lambda *_: None)
    source = percent.read_source(project.current().solutions / f"{name}.py", COURSE.labs[name])
    names: dict = {"__name__": "__main__"}
    try:
        with plt.style.context("default"):
            for cell in percent.solution_notebook(source).cells:
                if cell.cell_type == "code" and percent.WIDGET not in cell.metadata.get("tags", ()):
                    exec(compile(cell.source.replace("check(", "str("), cell.id, "exec"), names)
    finally:
        plt.close("all")
        patch.undo()
    return found


@pytest.mark.parametrize("name", COURSE.names)
def test_every_figure_is_accessible_and_its_description_contains_no_python(name):
    shown = shown_by_the_solved(name)
    assert len(shown.words) == len(shown.faults) > 0
    said = [*shown.words, *shown.of_moving]
    found = [f"Python in the words: {code}" for words in said for code in REPR.findall(words)]
    assert [fault for faults in shown.faults for fault in faults] + found == []


@pytest.mark.parametrize(
    "value",
    [
        {32: 474, 128: 1_707},
        {"a": 1},
        [0.25, 0.5],
        np.array([0.25, 0.5]),
        repr(np.array([1, 2])),
        repr(np.float64(0.5)),
        repr(np.dtype("float32")),
        range(3),
        1 / 3,
        None,
        object(),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_python_literal_is_found_in_a_description(value):
    assert REPR.search(f"The first crossings of 0, by d: {value}. After it the curve comes back.")


@pytest.mark.parametrize("exercise", ["sinusoidal_pe", "shift_matrix"])
def test_the_difference_figure_is_accessible(exercise, monkeypatch):
    found: list[list[str]] = []
    monkeypatch.setattr(figures, "_address", lambda figure: found.append([*map_faults(figure)]) or "")
    monkeypatch.delenv(figures.NO_PICTURES, raising=False)
    wrong = next(each for _, each in all_samples() if each.exercise == exercise and each.mistakes)
    look(exercise, namespace={exercise: wrong.answer})
    assert found == [[]]


@pytest.mark.parametrize(
    ("name", "diverging", "unread_by"),
    [
        ("jet", False, {"everybody", *VISIONS}),
        ("jet", True, {"everybody", *VISIONS}),
        ("rainbow", False, {"everybody", *VISIONS}),
        ("rainbow", True, {"everybody", *VISIONS}),
        ("RdBu_r", False, {"everybody", *VISIONS}),
        ("viridis", True, {"everybody", *VISIONS}),
        ("RdYlGn", True, {"deuteranomaly", "protanomaly"}),
        ("RdBu_r", True, set()),
        ("viridis", False, set()),
    ],
)
def test_colour_maps_with_colour_vision_deficiency(name, diverging, unread_by):
    assert set(blurred(plt.colormaps[name], diverging)) == unread_by


def map_faults(figure):
    """Find faults in the colour maps of images and meshes. A map counts as diverging if its range includes 0."""
    for ax in figure.axes:
        for each in (*ax.images, *ax.collections):
            if isinstance(each, ScalarMappable) and each.get_array() is not None:
                low, high = each.get_clim()
                if low < 0 < high and not np.isclose(low, -high):
                    yield f"{ax.get_title()}: 0 is not in the middle of {low:g} to {high:g}"
                for vision, what in blurred(each.cmap, diverging=low < 0 < high).items():
                    yield f"{ax.get_title() or ax.get_label()}: {each.cmap.name} has {what} for {vision}"


def faults_of(figure):
    figure.set_layout_engine("none")  # layout is not tested, and takes as long as drawing
    figure.canvas.draw()
    yield from map_faults(figure)
    for ax in figure.axes:
        name = ax.get_title(loc="left") or ax.get_title() or ax.get_label()
        lines = [line for line in ax.lines if line.get_visible() and drawn(line)]
        for line in lines:
            rgb = on_white(line.get_color(), line.get_alpha() or 1)
            if contrast(rgb) < CONTRAST:
                yield f"{name}: a line with contrast {contrast(rgb):.1f} ({line.get_label()})"
        for text in (ax.xaxis.label, ax.yaxis.label, ax.title, *ax.texts):
            if text.get_text() and contrast(on_white(text.get_color())) < 4.5 and not text.get_bbox_patch():
                yield f"{name}: text with contrast {contrast(on_white(text.get_color())):.1f}"
        legend = ax.get_legend()
        labelled = {line.get_label(): line for line in lines if not str(line.get_label()).startswith("_")}
        if legend and len(labelled) > 1:
            alike = {
                label: on_white(to_rgba(line.get_color())[:3], line.get_alpha() or 1)
                for label, line in labelled.items()
            }
            for one, other, how in too_close(alike):
                if styles(labelled[one]) == styles(labelled[other]):
                    yield f"{name}: {one} and {other} are {how}"


def drawn(line) -> bool:
    return bool(np.size(line.get_xdata())) and (
        line.get_linestyle() != "None" or line.get_marker() not in ("None", None, "")
    )


def styles(line) -> tuple:
    return line.get_linestyle(), line.get_marker(), line.get_linewidth() > 3


@pytest.mark.parametrize(
    "language, written", [("en", ["6.3", "6,283.2", "62,832"]), ("es", ["6.3", "6283.2", "62\N{NO-BREAK SPACE}832"])]
)
def test_labels_in_titles_have_the_thousands_of_their_language(language, written, monkeypatch):
    monkeypatch.setattr("labkit.student.notebook.language._spoken", language)
    assert [grouped(label) for label in ("6.3", "6283.2", "62832")] == written
    assert grouped("6,283 positions of 0.12345") == "6,283 positions of 0.12345"


def test_small_bases_are_drawn_behind_large_ones(monkeypatch):
    """The line of base 10 swings so widely that it would cover all the others."""
    drawn = []
    monkeypatch.setattr(of_sweep, "show", lambda figure, alt: drawn.append(figure))
    of_sweep.similarity(reference.curves)
    for ax in drawn[0].axes:
        depths = [line.get_zorder() for line in ax.lines if line.get_label().startswith("base ")]
        assert len(depths) == 5 and depths == sorted(depths)
    plt.close(drawn[0])


PE = build.sinusoidal_pe(256, 32)
ONE, OTHER = (np.outer(PE[p], PE[0]) for p in (3, 7))  # what a head learns from one example
WAYS = {letter: lambda p, T: [p] for letter in "AB"}
GIVEN = {of_proof.one_example: [PE, ONE, proof.rotations(ONE)], numbering.draw: [WAYS]}
WRONG = [  # a figure, wrong answers, a fact that only their drawing shows, and whether its titles differ too
    (of_table.speeds, [lambda d: np.full(d // 2, 0.25)], "from 0.25 to 0.25", True),
    (of_table.points, [lambda T, d: build.sinusoidal_pe(T, d) / 4], "between 0.25 and 0.25", False),
    (numbering.draw, [WAYS | {"A": lambda p, T: [p % 3]}], "from 0 to 2", False),
    (of_heatmap.heatmap, [lambda pe, ax: heat.heatmap(pe.T, ax)], "32 rows by 64 columns", True),
    (of_heatmap.heatmap, [lambda pe, ax: None], "Pictures on its Axes: 0.", True),
    (of_heatmap.columns, [lambda pe, columns, ax: heat.curves(pe / 2, columns, ax)], "from 0.50 to 0.50", True),
    (aliasing.stripes, [lambda pe, ax: heat.heatmap(pe[:, ::-1], ax)], "0 waves of colour in column 0", False),
    (aliasing.corners, [lambda pe, ax: heat.heatmap(pe[:, ::-1], ax)], "0 in column 2", False),
    (of_proof.matrices, [lambda offset, d: np.full((d, d), 0.7)], "0.7 0.7 0.7 0.7", True),
    (of_proof.clocks, [lambda pe, offset: proof.shift(pe, -offset)], "188, 343, 358, 0 degrees", False),
    (of_proof.left_over, [lambda *_: 0.33, proof.shift], "between 0.33 and 0.33", False),
    (of_proof.two_tests, [lambda offset, d: 0.99 * proof.shift_matrix(offset, d)], "A: 0.01, below 0.0001;", True),
    (of_proof.one_example, [PE, ONE, proof.rotations(OTHER)], "1 to 7 places back", False),
    (of_decay.anchors, [lambda pe, anchor: pe @ pe[0]], "differ by at most 8.04", False),
    (of_decay.gram, [lambda pe, anchor: pe @ pe[anchor] * (anchor < 32)], "from 0.00 to 16.00", True),
    (of_decay.steps, [lambda offsets, d: 16 - offsets / 8], "changes 0 times", True),
    (of_decay.spreads, [lambda table: np.full(len(table), 0.5)], "0.50 at offset 0", False),
    (of_decay.far, [lambda offsets, d: np.ones(len(offsets)), decay.landmarks], "above 0 again 0 times", False),
    (of_sweep.lengths, [lambda d, base: reference.wavelengths(d, 10)], "base 500,000: from 6.28 to 54", True),
    (of_sweep.hands, [lambda d, base: np.full(d // 2, 35.0), reference.decode], "30, 65, 100, 135, 170", False),
    (of_sweep.swept, [lambda *given: reference.sweep(*given)[::-1]], "4, 6, 7, 11, 16", True),
    (of_sweep.slower, [reference.wavelengths, lambda T, d: T], "to 7.74 at the last pair", True),
    (
        of_sweep.similarity,
        [lambda bases, d, ax: reference.curves(bases[::-1], d, ax)],
        "The lines: d = 32, base 5",
        True,
    ),
    (of_order.order_blind, [lambda x: x + np.arange(len(x))[:, None]], "cat 16.00", False),
    (of_order.causal, [lambda x: x + np.arange(len(x))[:, None]], "no mask: the 0.00, cat 16.00", True),
    (of_order.ordered, [order.attention, lambda e, scale: scale * e], "mat 0.00", True),
    (of_order.balance, [lambda e, scale: scale * e], "1.00 between the two rows", False),
    (of_order.parts, [lambda e, p: np.ones((4, 6, 6))], "positive throughout in 6 rows and 6 columns", False),
    (of_precision.errors, [lambda positions, d: np.full(len(positions), 0.02)], "1e-01, 1e-01, 1e-01, 1e-01", True),
    (of_precision.gap, [lambda positions, d: np.full(len(positions), 0.02)], "at most 0.02 at even", True),
    (of_precision.exactness, [lambda rows, omega: np.concatenate([rows, rows])], "reaches 2e+00", True),
    (of_back.looking_back, [lambda pe, *given: back.look_back(pe[::-1], *given)], "At gain 4, 0 % of the rows", False),
    (of_back.relative, [lambda x, positions: x + PE[positions, :16]], "both turned: between -0.9 and 3.7", True),
]


def drawn_in(language: str, draw: Callable, answers: list) -> tuple[list[str], str, list[str]]:
    """A figure's titles, its description, and the numbers in it as in English."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("labkit.student.notebook.language._spoken", language)
        figure, told = shown_by(draw, *answers)
    titles = [figure.get_suptitle(), *(ax.get_title(loc) for ax in figure.axes for loc in ("left", "center"))]
    plt.close(figure)
    plain = re.sub(r"(?<=\d)[,\N{NO-BREAK SPACE}](?=\d{3})", "", told)
    return titles, told, sorted(re.findall(r"\d+(?:\.\d+)?", plain))


@cache
def right_answers() -> dict[str, object]:
    return {sample.exercise: sample.answer for _, sample in reversed(all_samples()) if not sample.mistakes}


@pytest.mark.parametrize(("draw", "wrong", "fact", "titled"), WRONG)
def test_the_words_of_a_figure_come_from_the_students_own_answer(draw, wrong, fact, titled):
    known, asked = right_answers(), inspect.signature(draw).parameters
    right = GIVEN.get(draw) or [known[name] for name in asked if name in known]
    titles_if_right, told_if_right, _ = drawn_in("en", draw, right)
    titles, told, numbers = drawn_in("en", draw, wrong)
    assert fact in told and fact not in told_if_right and (titles != titles_if_right) == titled
    _, spanish, numbers_in_spanish = drawn_in("es", draw, wrong)
    assert spanish != told and numbers_in_spanish == numbers
