"""Grade submissions in one pytest session: run nbval on each assembled notebook, then the autograder's tests."""

from __future__ import annotations

import gc
import io
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from queue import Empty
from typing import Any, cast

import pytest
from _pytest.runner import runtestprotocol

from labkit.grade.intake.choose import digest_of
from labkit.grade.intake.files import Refusal, read_notebook
from labkit.grade.intake.notebooks import Notebook, parse_notebook
from labkit.grade.intake.submission import Submission
from labkit.grade.intake.tree import visible
from labkit.grade.judge.assemble import Assembled, reference_cells
from labkit.grade.judge.plugin import RUN, mark_of, run_pytest
from labkit.grade.judge.points import wrong_marks
from labkit.grade.judge.recheck import result_after_rechecks
from labkit.grade.judge.results import NOT_JUDGED, CourseCheck, Result, Task, unjudged
from labkit.grade.judge.run import Run
from labkit.grade.judge.trials import Trial, Tries, try_out
from labkit.grade.kernel.meter import KernelDied
from labkit.grade.kernel.nbval_bridge import (
    PLUGIN,
    IPyNbCell,
    IPyNbFile,
    NbCellError,
    find_comment_markers,
    find_metadata_tags,
)
from labkit.grade.kernel.probes import leaks
from labkit.grade.sandbox.faults import MachineFailed
from labkit.student.judging.diagnosis import catalogue
from labkit.student.judging.finding import said
from labkit.student.model.budgets import Budgets
from labkit.student.model.course import Lab
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import in_a_line, shortened

# After a MemoryError, garbage is collected and the step is tried again: earlier submissions may have left reference cycles,
# which are not collected while memory is short.
TRIES = 2
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
Tell = Callable[[Result | list[str] | tuple[Tries, ...]], None]


def judge_file(project: Project, path: Path, student: str, seed: int = 0, budgets: Budgets = Budgets()) -> Result:
    """Grade one file, whatever its content."""
    results: list[object] = []
    submission = Submission(student, visible(path.stem), path)
    judge_each(project, [Task(submission, seed, budgets)], results.append)
    return cast("Result", results[0])


def judge_each(project: Project, tasks: Iterable[Task | CourseCheck | Trial], tell: Tell) -> None:
    """Grade files one after another in one pytest session, and pass each result to `tell` immediately."""
    output = io.StringIO()
    judging = Judging(project, tasks, tell, output)
    code = run_pytest(project, output, ("--color=no", "--tb=no"), sys.modules[PLUGIN], judging)
    # Pytest returns one of these when a plugin runs the tests; the second means that some could not be collected.
    if code not in (pytest.ExitCode.NO_TESTS_COLLECTED, pytest.ExitCode.TESTS_FAILED):
        raise RuntimeError(f"the pytest session ended early ({code!r}): {output.getvalue()[-2000:]}")


class Judging:
    """A pytest plugin that runs the session: nbval's cells and then the lab's tests, for one submission after another."""

    def __init__(self, project: Project, tasks: Iterable[Task | CourseCheck | Trial], tell: Tell, output: io.StringIO):
        self.project, self.tasks, self.tell, self.output = project, tasks, tell, output
        self.uncollected: str | None = None
        self.tests: dict[str, list[pytest.Item]] = {}  # collected once, then run for each submission
        self.taken: dict[tuple[str, int], frozenset[bytes]] = {}  # requests of each lab's checks, by lab and seed

    def pytest_collection(self) -> bool:
        return True  # do not search folders for tests

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.session = session
        for task in self.tasks:
            match task:
                case CourseCheck():
                    self.tell(self._faults(task))
                case Trial():
                    self.tell(self._try_safely(task))
                case _:
                    self.tell(self._judge_safely(task))
            self.output.truncate(self.output.seek(0))
        return True

    def _faults(self, check: CourseCheck) -> list[str]:
        """Find what is wrong with the tests of these labs. Returns one line for each problem."""
        found = []
        try:
            catalogue(self.project.course)
        except Exception as error:
            found.append(f"the catalogue of mistakes: {in_a_line(error)}")
        for name in check.labs:
            try:
                found += wrong_marks(self.project, name, self._tests_of(self.project.course.labs[name]))
            except Exception as error:
                found.append(str(error) if isinstance(error, UserError) else f"{name}: {in_a_line(error)}")
        return found + (list(leaks(self.project, check.labs[0], check.probe)) if check.probe else [])

    def _judge_safely(self, task: Task) -> Result:
        """Grade one submission. If the machine or the grader fails, the status is `not_judged`, with advice."""
        for _ in range(TRIES):
            status = NOT_JUDGED
            try:
                return self._judge(task)
            except MachineFailed as error:
                reason = " ".join(str(error).split())
            except MemoryError:
                status, reason = "crashed", "grading it took more of the grader's memory than a submission may use"
            except Exception as error:
                reason = f"the grader failed on this submission; please report this error: {in_a_line(error)}"
            with suppress(Exception):
                self.session._setupstate.teardown_exact(None)  # release this submission's fixtures
            if status == NOT_JUDGED:
                break
            self.session.config.stash[RUN] = None
            gc.collect()
        return unjudged(self.project, task.submission, status, reason[:500], task.seed)

    def _judge(self, task: Task) -> Result:
        found = _read(self.project, task)
        if isinstance(found, Refusal):
            return unjudged(self.project, task.submission, found.status, found.reason, task.seed)
        content, notebook = found
        submission = replace(task.submission, lab=notebook.lab_name)
        run = Run.of(self.project, notebook, task.budgets, task.seed)
        self.session.config.option.nbval_cell_timeout = task.budgets.cell_seconds
        try:
            path = Path(f"{run.lab.name}.ipynb")
            NotebookRun.from_parent(self.session, run=run, path=path, nodeid="notebook").run_cells()
            run.ask_public()
            self._test(run)
        finally:
            run.close()
        return result_after_rechecks(run, submission, content, self._test)

    def _try_safely(self, trial: Trial) -> tuple[Tries, ...]:
        """Try changes to a student's answers. If it fails, each exercise has the error as its reason."""
        try:
            return tuple(try_out(self.project, trial, self._calls_of(trial)))
        except Exception as error:
            return tuple(Tries(name, "", reason=in_a_line(error)) for name in trial.exercises)

    def _calls_of(self, trial: Trial) -> frozenset[bytes]:
        """The requests of the public and the hidden calls, as the lab's solution gets them with the same seed."""
        if (key := (trial.lab, trial.seed)) not in self.taken:
            lab = self.project.course.labs[trial.lab]
            run = Run(self.project, Assembled(lab, reference_cells(self.project, lab)), trial.budgets, trial.seed)
            try:
                run.ask_public()
                self._test(run)
                self.taken[key] = frozenset((*run.replies, *run.digests))
            finally:
                run.close()
        return self.taken[key]

    def _test(self, run: Run, wanted: Callable[[str, str], bool] = lambda exercise, name: True) -> None:
        """Run the lab's tests, or those whose exercise and name are wanted. Their outcomes are added to the run's checks."""
        self.session.config.stash[RUN] = run
        tests = [test for test in self._tests_of(run.lab) if wanted(*mark_of(test))]
        for test, following in zip(tests, [*tests[1:], None]):
            runtestprotocol(test, log=False, nextitem=following)

    def _tests_of(self, lab: Lab) -> list[pytest.Item]:
        if lab.name not in self.tests:
            path = self.project.tests_of(lab.name)
            self.uncollected = None
            tests = list(self.session.genitems(pytest.Module.from_parent(self.session, path=path)))
            if self.uncollected:
                raise UserError(f"{self.project.below(path)} cannot be collected: {self.uncollected}")
            self.tests[lab.name] = tests
        return self.tests[lab.name]

    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> pytest.TestReport:
        """Make a report without the text of a traceback, which nothing reads and which takes longer than most checks."""
        error = call.excinfo and call.excinfo.value
        outcome = "passed" if error is None else "skipped" if isinstance(error, pytest.skip.Exception) else "failed"
        return pytest.TestReport(item.nodeid, item.location, {}, cast(Any, outcome), None, cast(Any, call.when))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:  # keep only the last line of pytest's output, which has the error
            lines = [line[1:].strip() for line in report.longreprtext.splitlines() if line.startswith("E ")]
            self.uncollected = (lines or [report.longreprtext.strip()])[-1][-400:]


def _read(project: Project, task: Task) -> tuple[bytes, Notebook] | Refusal:
    """Read and parse a submission again, because it was chosen in another process. Errors: MachineFailed if it has changed."""
    path, digest = task.submission.notebook_path, task.submission.digest
    content = read_notebook(path, task.budgets)
    if digest and (isinstance(content, Refusal) or digest_of(content) != digest):
        raise MachineFailed("the file changed during grading")
    if isinstance(content, Refusal):
        return content
    found = parse_notebook(project, content, path.stem, task.budgets)
    return found if isinstance(found, Refusal) else (content, found)


class NotebookRun(IPyNbFile):  # type: ignore[misc]  # nbval publishes no types
    """A submission's notebook in its own kernel, which stays open for the tests.

    Outputs are not compared: only the outputs of checks matter, and the grader computes those itself.
    """

    def __init__(self, *, run: Run, **node: object):
        super().__init__(**node)
        self.run = run

    def run_cells(self) -> None:
        """Run the cells in order, and record those that fail.

        After a cell that hung or ended the kernel, the remaining cells are skipped, and answers are called in another kernel.
        """
        self.kernel = self.run.open_kernel()
        for cell in self.collect():
            try:
                cell.runtest()
            except MachineFailed:
                raise
            except pytest.skip.Exception:
                pass
            except Exception as error:
                self._failed(cell.cell["id"], error)
            if self.timed_out or not self.kernel.is_alive():
                self.run.close()
                return

    def collect(self) -> Iterator[IPyNbCell]:
        """Collect cells as nbval does, but from memory, because the notebook is not in a file."""
        for number, cell in enumerate(self.run.assembled.judged_cells()):
            marked = {**dict(find_metadata_tags(cell.metadata)), **dict(find_comment_markers(cell.source))}
            options = defaultdict(bool, {**marked, "check": False})
            yield IPyNbCell.from_parent(self, name=f"Cell {number}", cell_num=number, cell=cell, options=options)

    def _failed(self, cell: str, error: Exception) -> None:
        text = str(error)
        if isinstance(error, NbCellError):
            last = [line for line in (error.inner_traceback or "").splitlines() if line.strip()]
            text = f"{text}: {COLOUR.sub('', last[-1])}" if last else text
        self.run.failures[cell] = said(shortened(text))
        if self.timed_out:
            self.run.stop(cell, Empty())
        elif isinstance(error, KernelDied):
            self.run.stop(cell, error)
