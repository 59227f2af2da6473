"""A submission's result: full points for the solution, none for an empty notebook, no way around the tests, and the record of its facts."""

import importlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from downloads import chosen
from handouts import stored_values
from longer import LONG

import labkit as package
from labkit.grade.batch import local_executor
from labkit.grade.batch.pool import Lost
from labkit.grade.judge.points import points_by_check
from labkit.grade.judge.results import REFERENCE_OUTPUTS, Task
from labkit.grade.judge.run import Run
from labkit.grade.kernel.forked import ForkedKernel
from labkit.grade.kernel.stock import StockKernel
from labkit.student.model import course, project
from labkit.student.model.budgets import Budgets
from labkit.student.model.course import folder_of

SHORT = Budgets(cell_seconds=0.5, notebook_seconds=60)
LAB, NEXT = LABS = "01_spread", "02_levels"
WRONG = "def spread(values):\n    return float(np.std(values, ddof=1))"


def points_of(result, exercise: str) -> float:
    return sum(map(result.points, result.of_exercise(exercise)))


@pytest.mark.parametrize("name", LABS)
def test_the_solution_gets_full_points(judged, handout, name):
    """Points are read from the source of the tests without running it, and pytest finds the same points in their marks."""
    result = judged(handout(name, solved=True))
    assert (result.status, result.reason) == ("graded", None)
    module = importlib.import_module(f"autograder.{folder_of(name)}.test_submission")
    marks = [
        each for test in vars(module).values() for each in getattr(test, "pytestmark", ()) if each.name == "points"
    ]
    worth = sum(points for points, _ in points_by_check(project.current(), name).values())
    assert result.score == result.max_score == worth == sum(mark.args[0] for mark in marks) > 0
    assert {check.outcome for check in result.checks} <= {"passed", "manual"}, [
        c for c in result.checks if c.outcome == "failed"
    ]


@pytest.mark.parametrize("name", LABS)
def test_the_untouched_lab_gets_no_points(judged, handout, name):
    result = judged(handout(name))
    assert result.status == "graded" and result.score == 0 < result.max_score
    assert {check.outcome for check in result.checks} == {"missing"}


def solved_but(handout, source: str, **extra):
    copy = handout(LAB, solved=True).write("spread", source)
    copy.cell("spread").update(extra)
    return copy


def test_a_wrong_answer_with_outputs_cleared(judged, handout, tmp_path):
    copy = solved_but(handout, WRONG)
    for cell in copy.cells:
        if cell["cell_type"] == "code":
            cell.update(outputs=[], execution_count=None)
    result = judged(copy)
    assert not LONG or passes_stock_nbval(tmp_path / f"{LAB}.ipynb")
    assert points_of(result, "spread") == 0 and result.score < result.max_score


@pytest.mark.parametrize("as_tag", [False, True])
@pytest.mark.parametrize("marker", ["NBVAL_IGNORE_OUTPUT", "NBVAL_SKIP"])
def test_a_wrong_answer_grafted_with_a_marker(judged, handout, tmp_path, marker, as_tag):
    copy = handout(LAB, solved=True)
    for cell in copy.cells:
        if cell["cell_type"] == "code":
            source = WRONG if cell["id"] == "spread" else "".join(cell["source"])
            cell["source"] = source if as_tag else f"# {marker}\n{source}"
            cell["metadata"]["tags"] = [marker.lower().replace("_", "-")] if as_tag else []
    result = judged(copy)
    assert points_of(result, "spread") == 0
    assert not LONG or passes_stock_nbval(tmp_path / f"{LAB}.ipynb")


def test_a_stub_that_raises_earns_no_points(judged, handout):
    copy = handout(LAB).write("spread", "def spread(values):\n    raise ValueError('no')")
    assert points_of(judged(copy), "spread") == 0


def test_values_count_where_only_the_dtype_is_wrong(judged, handout):
    copy = handout(NEXT, solved=True).write("levels", "def levels(values):\n    return np.unique(values).astype('f4')")
    result = judged(copy)
    assert points_of(result, "levels") == 1
    failed = [check for check in result.of_exercise("levels") if result.max_points(check) > result.points(check)]
    assert {each.id for check in failed for each in check.findings} == {"dtype"}


def test_written_answers_are_kept_as_they_are(judged, handout):
    copy = handout(LAB).write("robust", "One clock, *two* hands.\n\n<b>\x1b")
    assert judged(copy).written == {"robust": "One clock, *two* hands.\n\n<b>\x1b"}
    assert judged(handout(LAB)).written == {"robust": ""}


def test_prints_and_warnings_cost_nothing(judged, handout):
    copy = handout(LAB, solved=True)
    noisy = "import sys, warnings\nprint('hello')\nwarnings.warn('careful')\n" + "".join(copy.cell("spread")["source"])
    copy.write(
        "spread",
        noisy.replace("    distances =", "    print('working', file=sys.stderr)\n    print(values)\n    distances ="),
    )
    result = judged(copy)
    assert result.score == result.max_score


def test_an_endless_answer_costs_only_its_own_points_and_is_called_once(judged, handout, monkeypatch):
    """The notebook's own check is not run, so the endless answer delays nothing else."""
    asked = []
    for kind in (ForkedKernel, StockKernel):
        ask = kind.answer
        monkeypatch.setattr(kind, "answer", lambda self, *sent, ask=ask: asked.append(sent[0]) or ask(self, *sent))
    result = judged(
        handout(LAB, solved=True).write("midrange", "def midrange(values):\n    while True: pass"), budgets=SHORT
    )
    assert result.status == "timed_out" and "did not finish within 0.5 seconds" in result.why()
    assert points_of(result, "midrange") == 0 and points_of(result, "spread") == 3 and points_of(result, "by_hand") == 1
    assert "error" in {check.outcome for check in result.of_exercise("midrange")}
    assert sum(b'"midrange"' in each for each in asked) == 1 < sum(b'"spread"' in each for each in asked)


@pytest.mark.parametrize("source", ["while True: pass", "import os; os._exit(0)"])
def test_a_cell_that_stops_everything_costs_only_its_own_points(judged, handout, source):
    result = judged(handout(LAB, solved=True).write("by_hand", source), budgets=SHORT)
    assert result.status == ("timed_out" if "while" in source else "crashed") and result.why().startswith("by_hand ")
    assert result.score == result.max_score - 1


def test_the_answer_to_lab_01_cannot_be_imported(judged, handout):
    copy = handout(LAB).write("spread", "from ruler.measure import spread")
    assert judged(copy).score == 0


def test_same_seed_same_result_and_hidden_values_stay_hidden(judged, handout):
    copy = handout(NEXT, solved=True).write(
        "levels",
        "def levels(values):\n    found = np.unique(values)\n    return found if len(values) < 4 else found * 1.01",
    )
    first, again, other = judged(copy), judged(copy), judged(copy, seed=2)
    assert first == again and first.seed != other.seed
    hidden = next(check for check in first.checks if check.name == "levels_of_drawn_values")
    assert (
        hidden.outcome == "failed"
        and "its first number is already wrong" in hidden.message()
        and not re.search(r"\d", hidden.message())
    )


def test_an_error_in_a_cell_is_named(judged, handout):
    source = "def spread(values):\n    return float(np.std(values))\n\n1 / 0"
    result = judged(handout(LAB, solved=True).write("spread", source))
    besides = next(check for check in result.of_exercise("spread") if check.name == REFERENCE_OUTPUTS)
    assert besides.outcome == "failed" and "ZeroDivisionError" in besides.message()


def test_another_seed_draws_other_values(judged, handout):
    code = "def levels(values):\n    return np.unique(values) * (len(values) < 4 or values[0] < 0)"
    copy = handout(NEXT, solved=True).write("levels", code)
    assert len({judged(copy, seed=seed).score for seed in range(4)}) > 1


@pytest.mark.parametrize("name", LABS)
def test_reading_the_stored_values_earns_nothing(judged, handout, name):
    """A submission can read the expected results of public probes, but returning these earns no points."""
    copy = handout(name)
    for exercise in course.current().labs[name].exercises:
        if exercise.kind == "function":
            copy.write(exercise.name, stored_values(name, exercise.name))
    assert judged(copy).score == 0


def test_replies_are_dropped_before_the_next_submission_is_graded(judged, handout, monkeypatch):
    """If a submission's replies were kept, the next submission might not have enough memory."""
    runs, make = [], Run.of
    monkeypatch.setattr(Run, "of", lambda *given: runs.append(make(*given)) or runs[-1])
    assert judged(handout(LAB, solved=True)).score == 6
    assert [run.replies for run in runs] == [{}]


@pytest.mark.parametrize(
    "code, status", [(-signal.SIGABRT, "crashed"), (-signal.SIGKILL, "not_judged"), (1, "not_judged")]
)
def test_a_submission_that_breaks_the_grading_process_still_has_its_row(code, status, tmp_path, handout):
    """A submission that breaks the process twice is not tried again. A killed process is not blamed on the submission."""
    path = handout(LAB).save(tmp_path / "class" / "ada" / f"{LAB}.ipynb")
    (submission,) = chosen(path)
    result = local_executor._result_of(project.current(), Task(submission), Lost.by_exit(code, 2))
    assert (result.status, result.score, result.max_score) == (status, 0, 6) and "process" in result.why()


def passes_stock_nbval(path) -> bool:
    command = [sys.executable, "-m", "pytest", "--nbval", "-q", "-p", "no:cacheprovider", "-o", "addopts=", str(path)]
    if (here := project.current().solutions / "nbval.cfg").exists():
        command += ["--nbval-sanitize-with", str(here)]
    done = subprocess.run(command, capture_output=True, cwd=path.parent, env=_environment(), timeout=120)
    return done.returncode == 0


def executed(path):
    """The notebook after its student ran it, so that all outputs are the student's."""
    command = [sys.executable, "-m", "jupyter", "nbconvert", "--to", "notebook", "--execute", "--inplace", str(path)]
    subprocess.run(command, check=True, capture_output=True, env=_environment(), timeout=120)
    return path


def _environment() -> dict[str, str]:
    """A stock kernel's environment, with paths to the current course's modules."""
    return {**os.environ, "PYTHONPATH": str(project.current().source)}


GRADE = """
import json, sys
from labkit.grade import grade

print(json.dumps([*grade(sys.argv[1], seed=1, course=sys.argv[2])]))  # workers must not run this again
print(sorted(name for name in sys.modules if name.startswith(("labkit.desk", "labkit.author", "labkit.cli"))), file=sys.stderr)
"""


def test_the_records_are_those_of_results_json_even_where_desk_and_author_are_missing(tmp_path, labkit, handout):
    for student, solved in (("ada", True), ("bob", False)):
        handout("01_spread", solved=solved).save(tmp_path / "class" / student / "01_spread.ipynb")
    (tmp_path / "class/eve").mkdir()
    (tmp_path / "class/eve/01_spread.ipynb").write_text("no notebook")
    assert labkit("grade", tmp_path / "class", "--out", tmp_path / "out").returncode == 0
    expected = json.loads((tmp_path / "out/results.json").read_text())
    for row in expected:
        del row["feedback"]  # the desk's words
    left_out = shutil.ignore_patterns("desk", "author", "cli", "__pycache__")
    shutil.copytree(Path(package.__file__).parent, tmp_path / "alone/labkit", ignore=left_out)
    (tmp_path / "alone").chmod(0o755)
    (tmp_path / "program.py").write_text(GRADE)
    command = [sys.executable, tmp_path / "program.py", tmp_path / "class", project.current().root]
    done = subprocess.run(
        command,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(tmp_path / "alone"), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == expected and [row["score"] for row in expected] == [6, 0, 0]
    assert done.stderr.splitlines()[-1] == "[]"
