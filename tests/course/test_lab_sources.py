"""The labs follow from their sources, hold no answer, and have the rhythm that each lab has."""

import json
import re
from collections.abc import Iterable
from importlib import import_module
from itertools import islice
from pathlib import Path

import nbformat
import pytest

from encoding_labs import COURSE
from labkit.authoring import percent as authoring
from labkit.authoring.build import generated
from labkit.model import project
from labkit.notebook.predict import Truth


def source_of(name: str):
    return authoring.read_source(project.current().solutions / f"{name}.py", COURSE.labs[name])


def comparable(text: str) -> object:
    """What the gate holds generated notebooks to: sources and text outputs. Pictures may differ between machines."""
    return json.loads(re.sub(r'data:image/png;base64,[^"\\]*', "", text))


def rewrite_stale(files: Iterable[tuple[Path, str]]) -> list[str]:
    stale = []
    for path, text in files:
        target = project.current().root / path
        if not target.exists() or not same(comparable(target.read_text("utf-8")), comparable(text)):
            target.write_text(text, "utf-8")
            stale.append(str(path))
    return stale


REWRITTEN = "did not follow from the sources; rewritten now: run `make build` and commit"


@pytest.mark.parametrize("name", COURSE.names)
def test_what_is_committed_is_what_the_sources_give(name):
    """All but the outputs of solutions, which nbval compares in `make test`."""
    lab = COURSE.labs[name]
    all_but_the_solution = 2 + any(exercise.graded_only for exercise in lab.exercises)
    assert not (stale := rewrite_stale(islice(generated(project.current(), lab), all_but_the_solution))), (
        f"{', '.join(stale)} {REWRITTEN}"
    )


@pytest.mark.long("nbval runs the solutions too, and compares their outputs")
@pytest.mark.parametrize("name", COURSE.names)
def test_the_executed_solution_is_what_the_source_gives(name):
    assert not (stale := rewrite_stale(generated(project.current(), COURSE.labs[name]))), (
        f"{', '.join(stale)} {REWRITTEN}"
    )


@pytest.mark.parametrize("name", COURSE.names)
def test_a_solution_has_the_cells_of_its_source(name):
    source = authoring.read_source(project.current().solutions / f"{name}.py", COURSE.labs[name])
    executed = nbformat.read(project.current().solutions / f"{name}.ipynb", 4)
    asked = authoring.solution_notebook(source)
    assert [(cell.id, cell.source) for cell in executed.cells] == [(cell.id, cell.source) for cell in asked.cells]


def same(one: object, other: object) -> bool:
    """Equal, but for the last digits of floating-point numbers, which differ between machines."""
    if isinstance(one, float) and isinstance(other, (int, float)):
        return abs(one - other) <= 1e-7 * max(1.0, abs(one))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other or isinstance(other, float) and same(other, one)


@pytest.mark.parametrize("name", COURSE.names)
def test_no_answer_is_in_the_labs(name):
    handed_out = "\n".join(path.read_text("utf-8") for path in project.current().labs.rglob("*.ipynb"))
    for answer in authoring.answers_in(source_of(name)):
        for line in filter(None, map(str.strip, answer.splitlines())):
            assert len(line) < 12 or json.dumps(line, ensure_ascii=False)[1:-1] not in handed_out, line


@pytest.mark.parametrize("name", COURSE.names)
def test_the_student_notebook(name):
    notebook = nbformat.read(project.current().labs / f"{name}.ipynb", as_version=4)
    nbformat.validate(notebook)
    assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in notebook.cells)
    assert all(authoring.NAME.match(cell.id) for cell in notebook.cells)
    assert not re.search("BEGIN ANSWER|END ANSWER|[Rr]ubric\\b.*point:", authoring.text_of(notebook))
    for exercise in COURSE.labs[name].exercises:
        cell = next(cell for cell in notebook.cells if cell.id == exercise.name)
        assert cell.metadata.labkit.exercise == exercise.name
        stub = (
            authoring.WRITE_HERE
            if exercise.written
            else f'NotImplementedError("{exercise.name}: write your answer here")'
        )
        assert stub in cell.source


@pytest.mark.parametrize("name", COURSE.names)
def test_the_rhythm_of_a_lab(name):
    """Time, difficulty, objectives, a prediction, folded hints, a check after each exercise, words for each figure."""
    cells = source_of(name).cells
    text = "\n".join(cell.source for cell in cells)
    head = cells[0].source
    assert (
        re.search(r"\*\*Time\*\*.*\*\*Difficulty\*\* ★", head) and len(re.findall(r"^\d\. ", head, re.MULTILINE)) == 3
    )
    assert "## Predict" in text and "## Explain" in text and "## Stretch" in text and "guess_" in text
    assert all(len(line) <= 92 for cell in cells if cell.cell_type == "code" for line in cell.source.splitlines())
    assert text.count("<details>") == text.count("</details>") >= 4
    graded = [exercise.name for exercise in COURSE.labs[name].exercises if exercise.checked]
    assert all(f'check("{exercise}")' in text for exercise in graded)
    figures = COURSE.expected_of(name).with_name("figures.py")  # what only draws stands there
    sources = [cell.source for cell in cells if cell.cell_type == "code"]
    sources += [figures.read_text("utf-8")] if figures.exists() else []
    drawn = [source for source in sources if re.search(r"(?m)^ *show\(", source)]
    assert drawn and all(re.search(r"show\(.+,\s*alt=", source, re.DOTALL) for source in drawn)


def spelled(value: float) -> set[str]:
    """The ways to write a number that has three digits or more; a shorter one stands in many a sentence."""
    forms = {f"{value:g}", f"{value:.2f}", f"{value:,.0f}", f"{value:,.0f}".replace(",", "{,}"), f"{value:.0f}"}
    return {
        form
        for form in forms
        if len(re.sub(r"\D", "", form).lstrip("0")) >= 3 and float(re.sub(r"[{},]", "", form)) == value
    }


@pytest.mark.parametrize("name", COURSE.names)
def test_no_guess_is_settled_in_the_notebook(name):
    guesses = import_module(COURSE.module_of(name, "guesses"))
    truths = [each.value for each in vars(guesses).values() if isinstance(each, Truth)]
    notebook = nbformat.read(project.current().labs / f"{name}.ipynb", as_version=4)
    text = "\n".join(cell.source for cell in notebook.cells)
    assert truths
    for form in set().union(*map(spelled, truths)):
        assert not re.search(rf"(?<![\d.,]){re.escape(form)}(?!\d|[.,]\d)", text), form
