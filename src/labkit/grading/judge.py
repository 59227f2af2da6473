"""Judge submissions: for each, nbval on the assembled notebook, then the autograder's tests; all in one pytest session."""

from __future__ import annotations

import labkit.lean  # noqa: F401  before anything imports nbformat

# isort: split

import io
import os
from collections.abc import Callable, Iterable
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from unittest.mock import patch

import pytest
from _pytest.runner import runtestprotocol
from nbval.plugin import IPyNbCell, NbCellError

from labkit import project
from labkit.answers import UNANSWERED, AnswerMissing, AnswerRaised
from labkit.budgets import Budgets
from labkit.course import Exercise, Lab
from labkit.grading.expect import NoEvidence, WrongAnswer
from labkit.grading.plugin import RUN
from labkit.grading.reference_run import ReferenceRun
from labkit.grading.results import Check, Result
from labkit.grading.run import Run
from labkit.grading.task import Task
from labkit.kernel.running import KernelDied, OverBudget
from labkit.notebooks import Refusal, read_submission
from labkit.wording import shortened

REFERENCE_OUTPUTS = "reference_outputs"
# Parts of pytest that are set up for each session and never used here; two of them collect all garbage each time.
UNUSED = (
    "unraisableexception",
    "threadexception",
    "cacheprovider",
    "faulthandler",
    "junitxml",
    "pastebin",
    "stepwise",
    "doctest",
    "logging",
    "warnings",
)


# One session judges many submissions, so nothing is kept of each, and nothing is said.
ARGUMENTS = [
    f"--rootdir={project.AUTOGRADER}",
    "--config-file=" + os.devnull,
    "--noconftest",
    "--import-mode=prepend",
    "--color=no",
    "--capture=no",
    "--tb=no",
    *("-p", "nbval.plugin", "-p", "labkit.grading.plugin"),
    *(word for name in UNUSED for word in ("-p", f"no:{name}")),
]


def judge_file(path: Path, student: str, seed: int = 0, budgets: Budgets = Budgets()) -> Result:
    """The result of one file, whatever is in it."""
    results: list[Result] = []
    judge_each([Task(path, student, seed, budgets)], results.append)
    return results[0]


def judge_each(tasks: Iterable[Task], tell: Callable[[Result], None]) -> None:
    """Judge one file after another in one pytest session, and tell each result as soon as it is there."""
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said), patch.dict(os.environ, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1"):
        code = pytest.main(ARGUMENTS, plugins=[Judging(tasks, tell, said)])
    # Pytest's words for a session whose tests are run by a plugin, and for one with tests that could not be read.
    if code not in (pytest.ExitCode.NO_TESTS_COLLECTED, pytest.ExitCode.TESTS_FAILED):
        raise RuntimeError(f"the session of tests ended early ({code!r}): {said.getvalue()[-2000:]}")


class Judging:
    """Runs the session: for each submission nbval's cells, then the lab's tests."""

    def __init__(self, tasks: Iterable[Task], tell: Callable[[Result], None], said: io.StringIO):
        self.tasks, self.tell, self.said = tasks, tell, said
        self.recorder: Recorder | None = None
        self.tests: dict[Lab, list[pytest.Item]] = {}  # collected once, and run again for each submission

    def pytest_configure(self, config: pytest.Config) -> None:
        config.addinivalue_line("markers", "points(points, exercise): what a check is worth")

    def pytest_collection(self) -> bool:
        return True  # no search for tests in folders

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for task in self.tasks:
            self.tell(self._judge_safely(session, task))
            self.said.truncate(self.said.seek(0))
        return True

    def _judge_safely(self, session: pytest.Session, task: Task) -> Result:
        """A fault of the grader itself is a row too, and says what to report; the class goes on."""
        try:
            return self._judge(session, task)
        except Exception as error:
            with suppress(Exception):
                session._setupstate.teardown_exact(None)  # else the next submission's tests would find this one's
            reason = f"the grader failed on it, please report this: {type(error).__name__}: {error}"
            reason = " ".join(reason.split())[:500]
            return Result.unjudged(task.student, task.path.stem, "crashed", reason, task.seed)

    def _judge(self, session: pytest.Session, task: Task) -> Result:
        submission = read_submission(task.path, task.budgets)
        if isinstance(submission, Refusal):
            return Result.unjudged(task.student, task.path.stem, submission.status, submission.reason, task.seed)
        run = Run.of(submission, budgets=task.budgets, seed=task.seed)
        session.config.stash[RUN], self.recorder = run, Recorder(run)
        session.config.option.nbval_cell_timeout = task.budgets.cell_seconds
        try:
            for cell, error in ReferenceRun.of(run, session).failures():
                self.recorder.cell_failed(cell, error)
            tests = self._tests_of(session, run.assembled.lab)
            for test, following in zip(tests, [*tests[1:], None]):
                runtestprotocol(test, log=False, nextitem=following)
        finally:
            run.close()
        return self.recorder.result(task.student)

    def _tests_of(self, session: pytest.Session, lab: Lab) -> list[pytest.Item]:
        if lab not in self.tests:
            module = pytest.Module.from_parent(session, path=autograder_of(lab))
            self.tests[lab] = list(session.genitems(module))
        return self.tests[lab]

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            raise RuntimeError(f"the tests could not be collected: {report.longreprtext[-400:]}")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo):
        report = yield
        if report.when == "call" or report.failed:
            self.recorder.test_ended(item, call.excinfo.value if call.excinfo else None)
        return report


def autograder_of(lab: Lab) -> Path:
    return project.AUTOGRADER / f"test_{lab.name}.py"


class Recorder:
    """Hears the outcome of every cell and every test of one submission."""

    def __init__(self, run: Run):
        self.run = run
        self.cells: dict[str, str] = {}  # what was wrong with each cell that failed, by its id
        self.checks: list[Check] = []

    def cell_failed(self, item: IPyNbCell, error: BaseException) -> None:
        name = item.cell["id"]
        self.cells[name] = shortened(_cell_message(error))
        budgets = self.run.budgets
        if item.parent.timed_out and item.parent.kernel.out_of_time:
            self.run.session.stopped[name] = UNANSWERED["OutOfTime"](budgets.notebook_seconds)
        elif item.parent.timed_out:
            self.run.session.stopped[name] = UNANSWERED["TimedOut"](budgets.cell_seconds)
        elif isinstance(error, OverBudget):
            self.run.session.stopped[name] = UNANSWERED["OverBudget"](str(error))
        elif isinstance(error, KernelDied):
            self.run.session.stopped[name] = UNANSWERED["KernelDied"]()

    def test_ended(self, item: pytest.Item, error: BaseException | None) -> None:
        mark = item.get_closest_marker("points")
        if mark is None:
            return
        worth, exercise = mark.args
        outcome, message = _outcome(error)
        earned = worth if outcome == "passed" else 0
        mistake = error.mistake if isinstance(error, WrongAnswer) else None
        self.checks.append(Check(exercise, item.name.removeprefix("test_"), earned, worth, outcome, message, mistake))

    def result(self, student: str) -> Result:
        """Every exercise's checks in the lab's order: nbval's verdict for no points, then the tests."""
        checks = []
        for exercise in self.run.assembled.lab.exercises:
            if exercise.written:
                checks.append(self._written(exercise))
                continue
            own = [check for check in self.checks if check.exercise == exercise.name]
            checks += [*own, self._reference_outputs(exercise)]
        status, reason = self._status()
        return Result(student, self.run.assembled.lab.name, status, reason, self.run.seed, tuple(checks))

    def _written(self, exercise: Exercise) -> Check:
        missing = exercise.name in self.run.assembled.untouched
        message = "not written yet" if missing else f"for a person to read: {exercise.points} points by the rubric"
        return Check(exercise.name, "rubric", 0, 0, "missing" if missing else "manual", message)

    def _reference_outputs(self, exercise: Exercise) -> Check:
        """nbval's word on the exercise's cells. It is worth no points: a right answer may print what it likes."""
        if exercise.name in self.run.assembled.untouched:
            return Check(exercise.name, REFERENCE_OUTPUTS, 0, 0, "missing", "not written yet")
        failed = [self.cells[name] for name in (exercise.name, f"check_{exercise.name}") if name in self.cells]
        return Check(exercise.name, REFERENCE_OUTPUTS, 0, 0, "failed" if failed else "passed", " ".join(failed))

    def _status(self) -> tuple[str, str]:
        """The status of the whole submission: what a cell or an answer did first that stopped it."""
        stopped = self.run.session.stopped
        for name, why in stopped.items():
            status = "timed_out" if why.error == "TimedOut" else "crashed"
            return status, f"{_readable(name)} {why.message}; the other exercises were judged without it"
        return "graded", ""


def _outcome(error: BaseException | None) -> tuple[str, str]:
    match error:
        case None:
            return "passed", ""
        case AnswerMissing():
            return "missing", "not written yet"
        case NoEvidence():
            return "error", shortened(str(error), 300)
        case AssertionError() | AnswerRaised():
            return "failed", shortened(str(error), 1000)
    return "error", f"the check itself failed ({type(error).__name__}: {shortened(str(error))})"


def _cell_message(error: BaseException) -> str:
    if isinstance(error, NbCellError):
        last = [line for line in (error.inner_traceback or "").splitlines() if line.strip()]
        if "outputs differ" in str(error):
            return "The output differs from the reference output."
        return f"{error}: {_plain(last[-1])}" if last else str(error)
    return str(error)


def _plain(text: str) -> str:
    """Text without terminal colours."""
    import re

    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def _readable(cell: str) -> str:
    return "a cell that the student added" if cell.startswith("added-") else cell.removeprefix("check_")
