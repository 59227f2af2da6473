"""The committed labs match their sources, contain no answers, and all have the same structure."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from itertools import islice, takewhile
from pathlib import Path

import nbformat
import numpy as np
import pytest

from encoding_labs import COURSE
from labkit.author.source import percent as authoring
from labkit.author.source.build import generated
from labkit.author.source.translate import generated_editions, generated_shared
from labkit.grade.intake.answer_cells import WRITE_HERE
from labkit.grade.judge.points import points_by_check
from labkit.student.model import project
from labkit.student.notebook import expected
from labkit.student.notebook.examine import PAGE
from labkit.student.notebook.guesses import Choice, Truth


def source_of(name: str):
    here = project.current()
    return authoring.framed(here, authoring.read_source(here.solutions / f"{name}.py", COURSE.labs[name]))


def student_notebook(name: str):
    return nbformat.read(project.current().labs / f"{name}.ipynb", as_version=4)


def comparable(path: Path, text: str) -> object:
    """Parse a notebook or expected data, without embedded pictures, which differ between machines. Packed numbers become arrays."""
    parsed = json.loads(re.sub(r'data:image/(?:png|webp);base64,[^"\\]*', "", text))
    return unpacked(parsed) if path.name == "expected.json" else parsed


def unpacked(value: object) -> object:
    match value:
        case {"shape": list(shape), "float32": str(text)} | [list(shape), str(text)]:
            return [shape, expected.floats_in(text)]
        case dict():
            return {name: unpacked(each) for name, each in value.items()}
        case list():
            return [*map(unpacked, value)]
    return value


def rewrite_stale(files: Iterable[tuple[Path, str]]) -> list[str]:
    stale = []
    for path, text in files:
        target = project.current().root / path
        if not target.exists() or not same(comparable(path, target.read_text("utf-8")), comparable(path, text)):
            target.write_text(text, "utf-8")
            stale.append(str(path))
    return stale


REWRITTEN = "were outdated. The test has rewritten them: run `make build` and commit"


@pytest.mark.parametrize("name", COURSE.names)
def test_committed_notebooks_match_their_sources(name):
    """Leaves out the executed solution, which takes a long time to build. `make test` runs nbval to compare its outputs."""
    lab = COURSE.labs[name]
    editions = [*generated_editions(project.current(), lab)]
    all_but_the_solution = 2 + any(exercise.graded_only for exercise in lab.exercises) + len(editions)
    assert not (stale := rewrite_stale(islice(generated(project.current(), lab), all_but_the_solution))), (
        f"{', '.join(stale)} {REWRITTEN}"
    )


def test_translations_of_shared_words_match_their_sources():
    assert not (stale := rewrite_stale(generated_shared(project.current()))), f"{', '.join(stale)} {REWRITTEN}"


@pytest.mark.parametrize("name", COURSE.names)
def test_a_solution_has_the_cells_of_its_source(name):
    source = source_of(name)
    executed = nbformat.read(project.current().solutions / f"{name}.ipynb", 4)
    asked = authoring.solution_notebook(source)
    assert [(cell.id, cell.source) for cell in executed.cells] == [(cell.id, cell.source) for cell in asked.cells]


def same(one: object, other: object) -> bool:
    """Compare two parsed JSON values. Floats may differ in their last digits, as they do between machines.

    Arrays are stored in float32. Where their values come from float32 arguments, processors differed by 2e-6.
    """
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.shape == other.shape and np.allclose(one, other, rtol=1e-5, atol=1e-7, equal_nan=True)
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
    for answer in authoring.answers_in("\n".join(cell.source for cell in source_of(name).cells)):
        for line in filter(None, map(str.strip, answer.splitlines())):
            assert len(line) < 12 or json.dumps(line, ensure_ascii=False)[1:-1] not in handed_out, line


@pytest.mark.parametrize("name", COURSE.names)
def test_the_student_notebook(name):
    notebook = student_notebook(name)
    nbformat.validate(notebook)
    assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in notebook.cells)
    assert all(authoring.NAME.match(cell.id) for cell in notebook.cells)
    assert not re.search("BEGIN ANSWER|END ANSWER|[Rr]ubric\\b.*point:", authoring.text_of(notebook))
    for exercise in COURSE.labs[name].exercises:
        cell = next(cell for cell in notebook.cells if cell.id == exercise.name)
        assert cell.metadata.labkit.exercise == exercise.name
        stub = WRITE_HERE if exercise.written else f'NotImplementedError("{exercise.name}: write your answer here")'
        assert stub in cell.source


@pytest.mark.parametrize("name", COURSE.names)
def test_the_rhythm_of_a_lab(name):
    """Each lab has a time, a difficulty, three objectives, a guess, folded hints, checks, and a description for each figure."""
    cells = source_of(name).cells
    text = "\n".join(cell.source for cell in cells)
    head = cells[0].source
    assert (
        re.search(r"\*\*Time\*\*.*\*\*Difficulty\*\* ★", head) and len(re.findall(r"^\d\. ", head, re.MULTILINE)) == 3
    )
    assert "## Predict" in text and "## Explain" in text and "## Stretch" in text and "guess_" in text
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    assert [line for line in code.splitlines() if len(line) > 92] == []
    assert text.count("<details>") == text.count("</details>") >= 4
    graded = [exercise.name for exercise in COURSE.labs[name].exercises if exercise.checked]
    assert all(f'check("{exercise}")' in text for exercise in graded)
    figures = COURSE.expected_of(name).with_name("figures.py")  # code that only draws is in this file
    sources = [cell.source for cell in cells if cell.cell_type == "code"]
    sources += [figures.read_text("utf-8")] if figures.exists() else []
    drawn = [source for source in sources if re.search(r"(?m)^ *show\(", source)]
    assert drawn and all(re.search(r"show\(.+,\s*alt=", source, re.DOTALL) for source in drawn)


@pytest.mark.parametrize("name", COURSE.names)
def test_the_heart_of_a_lab_is_short_and_begins_to_play_after_a_few_words(name):
    """A lab with a second helping takes 40 minutes up to there. Folded text does not count."""
    cells = student_notebook(name).cells
    helping = next((n for n, cell in enumerate(cells) if "## Second helping" in cell.source), None)
    if helping is None:
        return
    assert helping <= 25 and int(re.search(r"\*\*Time\*\* (\d+)", cells[0].source)[1]) <= 40
    assert sum(map(int, re.findall(r"· (\d+) minutes ·", "".join(cell.source for cell in cells[:helping])))) <= 35
    assert "· essential ·" not in "".join(cell.source for cell in cells[helping:])
    first = [cell.cell_type for cell in cells].index("code")
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    assert re.search(r"^(sliders\.\w+|clock|sentence)\(", "\n".join(code[:2]), re.MULTILINE)  # it needs no kernel
    assert words_before(cells[first]["id"], cells) <= 120


def words_before(name: str, cells: Sequence) -> int:
    """Count the words of the unfolded text above a cell."""
    texts = (cell.source for cell in takewhile(lambda cell: cell.id != name, cells) if cell.cell_type == "markdown")
    unfolded = re.sub(r"<details>.*?</details>", "", "\n".join(texts), flags=re.DOTALL)
    return len(re.findall(r"[^\W\d_]{2,}", unfolded))


def test_the_first_exercise_of_the_first_lab_can_be_answered_within_five_minutes():
    """It comes after 72 seconds of reading, at 200 words a minute. The rest is for playing, thinking and typing."""
    cells = student_notebook(COURSE.names[0]).cells
    first = next(cell.id for cell in cells if "exercise" in cell.metadata.get("labkit", {}))
    assert first == "by_hand" and words_before(first, cells) <= 240


@pytest.mark.parametrize("name", COURSE.names)
def test_the_task_above_each_exercise_states_its_points(name):
    lab, told, says = COURSE.labs[name], {}, None
    for cell in source_of(name).cells:
        says = next(iter(re.findall(r"^[●○]{3} · .* minutes · (\d+) points?\b", cell.source, re.MULTILINE)), says)
        if exercise := cell.metadata.get("labkit", {}).get("exercise"):
            told[exercise], says = says, None
    worth = {each.name: each.points for each in lab.exercises}
    for points, exercise in points_by_check(project.current(), name).values():
        worth[exercise] += points
    assert told == {exercise: f"{points:g}" for exercise, points in worth.items()}


def spelled(value: float) -> set[str]:
    """The usual ways to write a number. Leaves out those with fewer than three digits, which occur in many sentences anyway."""
    forms = {f"{value:g}", f"{value:.2f}", f"{value:,.0f}", f"{value:,.0f}".replace(",", "{,}"), f"{value:.0f}"}
    return {
        form
        for form in forms
        if len(re.sub(r"\D", "", form).lstrip("0")) >= 3 and float(re.sub(r"[{},]", "", form)) == value
    }


def settled(name: str, text: str) -> list[str]:
    """Find which right answers to the lab's guesses a text contains."""
    guesses = vars(import_module(COURSE.module_of(name, "guesses"))).values()
    forms = set().union(*(spelled(each.value) for each in guesses if isinstance(each, Truth)))
    return [form for form in forms if re.search(rf"(?<![\d.,]){re.escape(form)}(?!\d|[.,]\d)", text)]


def told_when_earned(name: str) -> Iterator[str]:
    """Text that a lab shows only after a guess, after an answer, or when all checks have passed."""
    for each in vars(import_module(COURSE.module_of(name, "guesses"))).values():
        yield from (each.why,) if isinstance(each, Truth) else each.why.values() if isinstance(each, Choice) else ()
    yield from (statement.reason for statement in import_module(COURSE.module_of(name, "questions")).QUIZ)
    page = COURSE.expected_of(name).with_name(PAGE)
    yield from re.split(r"\n(?=\S)", page.read_text("utf-8"))


def test_about_half_of_the_statements_in_the_quizzes_are_true():
    """Students who always answer True, or always False, score no better than by guessing."""
    truths = [[each.truth for each in import_module(COURSE.module_of(name, "questions")).QUIZ] for name in COURSE.names]
    assert all(2 * sum(each) in (len(each) - 1, len(each), len(each) + 1) for each in truths), truths


def in_a_line(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("name", COURSE.names)
def test_notebooks_give_no_result_away_before_its_exercise(name):
    """No cell of any lab explains the answer to a guess or a quiz, or contains a line of a cheat sheet."""
    texts = [in_a_line(cell.source) for lab in COURSE.names for cell in student_notebook(lab).cells]
    told = [*filter(None, map(in_a_line, told_when_earned(name)))]
    assert len(told) >= 6 and [line for line in told if len(line) > 20 and any(line in text for text in texts)] == []
    assert not settled(name, "\n".join(cell.source for cell in student_notebook(name).cells))


@pytest.mark.parametrize("name", COURSE.names)
def test_a_cheat_sheet_has_one_place(name):
    """A cheat sheet is in its own file, and the lab shows it with a call. No cell contains its text."""
    if COURSE.expected_of(name).with_name(PAGE).exists():
        cells = student_notebook(name).cells
        assert any(f'cheat_sheet("{name[:2]}")' in cell.source for cell in cells if cell.cell_type == "code")
        assert not any("# Cheat sheet" in cell.source for cell in cells)


@pytest.mark.parametrize("name", COURSE.names)
def test_every_lab_ends_with_how_to_hand_it_in(name):
    last = student_notebook(name).cells[-1]
    assert last.id == authoring.HAND_IN and f"`{name}.ipynb`" in last.source
