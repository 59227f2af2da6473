"""Grade submissions in one pytest session: run nbval on each assembled notebook, then the autograder's tests."""

from __future__ import annotations

import gc
import io
import os
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import replace
from pathlib import Path
from typing import cast
from unittest.mock import patch

import pytest
from _pytest.runner import runtestprotocol

from labkit.grade.intake.choose import digest_of
from labkit.grade.intake.files import Refusal, read_notebook
from labkit.grade.intake.notebooks import parse_notebook
from labkit.grade.intake.submission import Submission
from labkit.grade.intake.tree import visible
from labkit.grade.judge.consent import leaks
from labkit.grade.judge.follow_through import dependent_exercises, earned, rejudged
from labkit.grade.judge.marks import wrong_marks, wrong_source
from labkit.grade.judge.notebook_run import NotebookRun
from labkit.grade.judge.own_cell import better, changed_later, from_the_start
from labkit.grade.judge.pictures import still_shown, with_pictures
from labkit.grade.judge.plugin import RUN, surroundings
from labkit.grade.judge.recorder import Recorder, check_of, exercise_of
from labkit.grade.judge.results import NOT_JUDGED, Result, unjudged
from labkit.grade.judge.run import Run
from labkit.grade.judge.task import CourseCheck, Task
from labkit.grade.kernel.nbval_bridge import PLUGIN
from labkit.grade.sandbox.faults import MachineFailed
from labkit.student.judging.diagnosis import catalogue
from labkit.student.model.budgets import Budgets
from labkit.student.model.course import Lab
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import in_a_line

# After a MemoryError, garbage is collected and the step is tried again: earlier submissions may have left reference cycles,
# which are not collected while memory is short.
TRIES = 2
# Parts of pytest that each session sets up but grading does not use. Two of them collect all garbage each time.
UNUSED = (
    "unraisableexception threadexception cacheprovider faulthandler junitxml pastebin stepwise doctest logging warnings"
)

# One session grades many submissions, so it must keep no data from them and print nothing.
ARGUMENTS = [
    "--config-file=" + os.devnull,
    "--noconftest",
    "--import-mode=prepend",
    "--color=no",
    "--capture=no",
    "--tb=no",
    *("-p", PLUGIN, "-p", "labkit.grade.judge.plugin"),
    *(word for name in UNUSED.split() for word in ("-p", f"no:{name}")),
]


Tell = Callable[[Result | list[str]], None]


def judge_file(project: Project, path: Path, student: str, seed: int = 0, budgets: Budgets = Budgets()) -> Result:
    """Grade one file, whatever its content."""
    results: list[Result | list[str]] = []
    submission = Submission(student, visible(path.stem), path)
    judge_each(project, [Task(submission, seed, budgets)], results.append)
    return cast("Result", results[0])


def judge_each(project: Project, tasks: Iterable[Task | CourseCheck], tell: Tell) -> None:
    """Grade files one after another in one pytest session, and pass each result to `tell` immediately."""
    output = io.StringIO()
    with redirect_stdout(output), redirect_stderr(output), patch.dict(os.environ, surroundings(), clear=True):
        folder = f"--rootdir={project.autograder}"
        code = pytest.main([folder, *ARGUMENTS], plugins=[Judging(project, tasks, tell, output)])
    # Pytest returns one of these when a plugin runs the tests; the second means that some could not be collected.
    if code not in (pytest.ExitCode.NO_TESTS_COLLECTED, pytest.ExitCode.TESTS_FAILED):
        raise RuntimeError(f"the pytest session ended early ({code!r}): {output.getvalue()[-2000:]}")


class Judging:
    """A pytest plugin that runs the session: nbval's cells and then the lab's tests, for one submission after another."""

    def __init__(self, project: Project, tasks: Iterable[Task | CourseCheck], tell: Tell, output: io.StringIO):
        self.project, self.tasks, self.tell, self.output = project, tasks, tell, output
        self.recorder: Recorder | None = None
        self.uncollected: str | None = None
        self.tests: dict[str, list[pytest.Item]] = {}  # collected once, then run for each submission

    def pytest_configure(self, config: pytest.Config) -> None:
        config.addinivalue_line("markers", "points(points, exercise): a check's points and its exercise")

    def pytest_collection(self) -> bool:
        return True  # do not search folders for tests

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for task in self.tasks:
            self.tell(
                self._faults(session, task) if isinstance(task, CourseCheck) else self._judge_safely(session, task)
            )
            self.output.truncate(self.output.seek(0))
        return True

    def _faults(self, session: pytest.Session, check: CourseCheck) -> list[str]:
        """Find what is wrong with the tests of these labs. Returns one line for each problem."""
        found = []
        try:
            catalogue(self.project.course)
        except Exception as error:
            found.append(f"the catalogue of mistakes: {in_a_line(error)}")
        for name in check.labs:
            try:
                found += wrong_marks(self.project, name, self._tests_of(session, self.project.course.labs[name]))
            except Exception as error:
                found.append(str(error) if isinstance(error, UserError) else f"{name}: {in_a_line(error)}")
        return found + (list(leaks(self.project, check.labs[0], check.probe)) if check.probe else [])

    def _judge_safely(self, session: pytest.Session, task: Task) -> Result:
        """Grade one submission. If the machine or the grader fails, the status is `not_judged`, with advice."""
        for _ in range(TRIES):
            status = NOT_JUDGED
            try:
                return self._judge(session, task)
            except MachineFailed as error:
                reason = " ".join(str(error).split())
            except MemoryError:
                status, reason = "crashed", "grading it took more of the grader's memory than a submission may use"
            except Exception as error:
                reason = f"the grader failed on this submission; please report this error: {in_a_line(error)}"
            with suppress(Exception):
                session._setupstate.teardown_exact(None)  # release this submission's fixtures
            if status == NOT_JUDGED:
                break
            session.config.stash[RUN] = self.recorder = None
            gc.collect()
        return unjudged(self.project, task.submission, status, reason[:500], task.seed)

    def _judge(self, session: pytest.Session, task: Task) -> Result:
        # Read and parsed again, because the file was chosen in another process.
        submission, path = task.submission, task.submission.notebook_path
        content = read_notebook(path, task.budgets)
        if submission.digest and (isinstance(content, Refusal) or digest_of(content) != submission.digest):
            raise MachineFailed("the file changed during grading")
        if isinstance(content, Refusal):
            return unjudged(self.project, submission, content.status, content.reason, task.seed)
        found = parse_notebook(self.project, content, path.stem, task.budgets)
        if isinstance(found, Refusal):
            return unjudged(self.project, submission, found.status, found.reason, task.seed)
        submission = replace(submission, lab=found.lab_name)
        run = Run.of(self.project, found, budgets=task.budgets, seed=task.seed)
        recorder = Recorder(run)
        session.config.stash[RUN], self.recorder = run, recorder
        session.config.option.nbval_cell_timeout = task.budgets.cell_seconds
        try:
            for cell, error in NotebookRun.of(run, session).failures():
                recorder.cell_failed(cell, error)
            run.session.ask_public()
            recorder.compare_checks()
            self._run_tests(self._tests_of(session, run.assembled.lab))
        finally:
            run.close()
        first = recorder.result(submission)
        if run.session.stopped:
            return first
        # Draw before rechecking, because a kernel started afterwards could find traces of reference values in the page cache.
        first = with_pictures(first, run, content)
        causes = dependent_exercises(recorder.checks, run.assembled)
        self._at_own_cells(session, run, recorder)
        self._follow_through(session, run, recorder, causes)
        return still_shown(first, recorder.result(submission))

    def _run_tests(self, tests: list[pytest.Item]) -> None:
        for test, following in zip(tests, [*tests[1:], None]):
            runtestprotocol(test, log=False, nextitem=following)
            if self.recorder and self.recorder.fault:
                raise self.recorder.fault

    def _at_own_cells(self, session: pytest.Session, run: Run, first: Recorder) -> None:
        """Recheck answers that a later cell may have broken, each right after its own cell."""
        exercises = changed_later(first.checks, run.assembled)
        if not exercises:
            return
        try:
            with from_the_start(run) as (again, run_up_to):
                for exercise in exercises:
                    run_up_to(exercise)
                    heard = Recorder(again)
                    session.config.stash[RUN], self.recorder = again, heard
                    tests = self._tests_of(session, run.assembled.lab)
                    self._run_tests([test for test in tests if exercise_of(test) == exercise])
                    counted = better(first.checks, heard.checks, exercise)
                    if counted != first.checks and getattr(again.answers, exercise).examination.right:
                        first.differing -= {exercise}
                    first.checks = counted
        finally:
            session.config.stash[RUN], self.recorder = run, first

    def _follow_through(
        self, session: pytest.Session, run: Run, first: Recorder, dependent: Mapping[frozenset[str], list[str]]
    ) -> None:
        """Recheck answers that depend on wrong ones, within the submission's remaining time."""
        for causes, exercises in dependent.items():
            names = {check.name for check in first.checks if check.exercise in exercises and check.outcome != "passed"}
            tests = [test for test in self._tests_of(session, run.assembled.lab) if check_of(test) in names]
            try:
                with rejudged(run, causes) as again:
                    heard = Recorder(again)
                    session.config.stash[RUN], self.recorder = again, heard
                    self._run_tests(tests)
                    self._at_own_cells(session, again, heard)
                    lost = {check.exercise for check in first.checks if check.outcome != "passed"}
                    first.checks = [earned(check, heard.checks, causes, causes & lost) for check in first.checks]
            finally:
                session.config.stash[RUN], self.recorder = run, first

    def _tests_of(self, session: pytest.Session, lab: Lab) -> list[pytest.Item]:
        if lab.name not in self.tests:
            path = self.project.tests_of(lab.name)
            if wrong := wrong_source(self.project, path):
                raise UserError(wrong)
            self.uncollected = None
            tests = list(session.genitems(pytest.Module.from_parent(session, path=path)))
            if self.uncollected:
                raise UserError(f"{self.project.below(path)} cannot be collected: {self.uncollected}")
            self.tests[lab.name] = tests
        return self.tests[lab.name]

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:  # keep only the last line of pytest's output, which has the error
            lines = [line[1:].strip() for line in report.longreprtext.splitlines() if line.startswith("E ")]
            self.uncollected = (lines or [report.longreprtext.strip()])[-1][-400:]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if self.recorder and (report.when == "call" or report.failed):
            self.recorder.test_ended(item, call.excinfo.value if call.excinfo else None)
        return report
