"""Collect the outcomes of a submission's cells and tests as a result."""

from __future__ import annotations

import re
from dataclasses import replace
from queue import Empty

import pytest

from labkit.grade.intake.submission import Submission
from labkit.grade.judge.outcomes import UNWRITTEN, NotPassed, said, together
from labkit.grade.judge.results import LONGEST_CODE, REFERENCE_OUTPUTS, RUBRIC, Check, Result
from labkit.grade.judge.run import Run
from labkit.grade.kernel.meter import KernelDied
from labkit.grade.kernel.nbval_bridge import IPyNbCell, NbCellError
from labkit.grade.sandbox.faults import MachineFailed
from labkit.student.judging.finding import Finding
from labkit.student.model.course import Exercise
from labkit.student.model.text import shortened

LONGEST_TEXT = 100_000  # characters of a written answer that are kept for manual grading
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Recorder:
    """Records the outcome of every cell and test of one submission."""

    def __init__(self, run: Run):
        self.run = run
        self.cells: dict[str, Finding] = {}  # failures in cells, by cell id
        self.differing: frozenset[str] = frozenset()  # answered exercises that fail their check in the notebook
        self.checks: list[Check] = []
        self.fault: MachineFailed | None = None

    def cell_failed(self, item: IPyNbCell, error: BaseException) -> None:
        if isinstance(error, MachineFailed):
            raise error
        name = item.cell["id"]
        self.cells[name] = _of_cell(error)
        if item.parent.timed_out:
            self.run.session.stop(name, Empty())
        elif isinstance(error, KernelDied):
            self.run.session.stop(name, error)

    def compare_checks(self) -> None:
        """Find the answered exercises that fail their check in the notebook."""
        lab, untouched = self.run.assembled.lab, self.run.assembled.untouched
        checked = (each.name for each in lab.exercises if each.checked and each.name not in untouched)
        self.differing = frozenset(name for name in checked if not getattr(self.run.answers, name).examination.right)

    def test_ended(self, item: pytest.Item, error: BaseException | None) -> None:
        mark = item.get_closest_marker("points")
        if mark is None:
            return
        if isinstance(error, MachineFailed):
            self.fault = error
        self.checks.append(Check(mark.args[1], check_of(item), *_outcome(error)))

    def result(self, submission: Submission) -> Result:
        """Collect the checks of all exercises in lab order: each exercise's tests, then its check without points."""
        assembled, checks = self.run.assembled, []
        for exercise in assembled.lab.exercises:
            checks += [*(check for check in self.checks if check.exercise == exercise.name), self._besides(exercise)]
        checks = [self._explained(check) for check in checks]
        written = {name: text[:LONGEST_TEXT] for name, text in assembled.written.items()}
        code = {name: source[:LONGEST_CODE] for name, source in assembled.code.items()}
        facts = *self._status(), self.run.seed, tuple(checks), written
        return Result.of(self.run.project, submission, *facts, code=code)

    def _besides(self, exercise: Exercise) -> Check:
        """Make the check without points: whether the cell runs and the notebook's check passes. Written answers get "manual"."""
        name, check = exercise.name, RUBRIC if exercise.written else REFERENCE_OUTPUTS
        if name in self.run.assembled.untouched:
            return Check(name, check, "missing", (UNWRITTEN,))
        if exercise.written:
            return Check(name, check, "manual", (Finding("to-read", {"points": exercise.points}),))
        failed = tuple(self.cells[name] for _ in range(name in self.cells))
        failed += (Finding("outputs-differ"),) * (name in self.differing)
        return Check(name, check, "failed" if failed else "passed", failed)

    def _explained(self, check: Check) -> Check:
        """Report that an unwritten answer's cell has another type, if that is why the answer is missing."""
        kind = self.run.assembled.changed.get(check.exercise)
        if not kind or check.findings != (UNWRITTEN,):
            return check
        return replace(check, findings=(Finding("not-a-code-cell", {"kind": kind.capitalize()}),))

    def _status(self) -> tuple[str, Finding | None]:
        """The status of the whole submission, and the first cell or answer that had to be stopped."""
        for name, stop in self.run.session.stopped.items():
            cell = Finding("added-cell") if name.startswith("added-") else name
            status = "timed_out" if stop.error == "TimedOut" else "crashed"
            return status, together(Finding("stopped", {"cell": cell, "why": stop.message}), *self.run.notes)
        return "graded", together(*self.run.notes)


def check_of(test: pytest.Item) -> str:
    """The name of a test's check."""
    return test.name.removeprefix("test_")


def exercise_of(test: pytest.Item) -> str | None:
    """The exercise of a test; None if the test has no points."""
    mark = test.get_closest_marker("points")
    return mark.args[1] if mark else None


def _outcome(error: BaseException | None) -> tuple[str, tuple[Finding, ...]]:
    match error:
        case None:
            return "passed", ()
        case NotPassed():
            return error.outcome, error.findings
        case AssertionError():
            return "failed", (said(shortened(str(error), 1000)),)
    return "error", (Finding("check-failed", {"error": type(error).__name__, "message": shortened(str(error))}),)


def _of_cell(error: BaseException) -> Finding:
    """Convert nbval's error for a cell to a finding."""
    text = str(error)
    if isinstance(error, NbCellError):
        last = [line for line in (error.inner_traceback or "").splitlines() if line.strip()]
        text = f"{text}: {COLOUR.sub('', last[-1])}" if last else text
    return said(shortened(text))
