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

from labkit import project
from labkit.budgets import Budgets
from labkit.course import Lab
from labkit.grading.plugin import RUN
from labkit.grading.recorder import Recorder
from labkit.grading.reference_run import ReferenceRun
from labkit.grading.results import Result
from labkit.grading.run import Run
from labkit.grading.task import Task
from labkit.notebooks import Refusal, read_submission

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
