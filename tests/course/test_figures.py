"""Every figure of a solved lab has labels, a description, and colours that colour-blind readers can see and tell apart."""

import re
from typing import NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import pytest
from colours import CONTRAST, VISIONS, blurred, contrast, on_white, too_close
from matplotlib.cm import ScalarMappable
from matplotlib.colors import to_rgba

from autograder.base_sweep import reference
from autograder.samples import all_samples
from encoding_labs import COURSE
from encoding_labs.base_sweep import figures as figures_of_base_sweep
from encoding_labs.heatmap.figures import grouped
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
    monkeypatch.setattr(figures_of_base_sweep, "show", lambda figure, alt: drawn.append(figure))
    figures_of_base_sweep.similarity(reference.curves)
    for ax in drawn[0].axes:
        depths = [line.get_zorder() for line in ax.lines if line.get_label().startswith("base ")]
        assert len(depths) == 5 and depths == sorted(depths)
    plt.close(drawn[0])
