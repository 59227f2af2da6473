"""From the outcomes of a submission's cells and tests to its result: which check earned what, and what is told."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

import numpy as np
import pytest
from nbval.plugin import IPyNbCell, NbCellError

from labkit.course import Exercise
from labkit.grading.answers import UNANSWERED, AnswerMissing, AnswerRaised
from labkit.grading.expect import NoEvidence, WrongAnswer
from labkit.grading.results import Check, Result
from labkit.grading.run import Run
from labkit.judging.wording import shortened
from labkit.kernel.running import KernelDied, OverBudget
from labkit.sandbox.faults import MachineFailed

REFERENCE_OUTPUTS = "reference_outputs"


class Recorder:
    """Hears the outcome of every cell and every test of one submission."""

    def __init__(self, run: Run):
        self.run = run
        self.cells: dict[str, str] = {}  # what was wrong with each cell that failed, by its id
        self.checks: list[Check] = []
        self.fault: MachineFailed | None = None

    def cell_failed(self, item: IPyNbCell, error: BaseException) -> None:
        if isinstance(error, MachineFailed):
            raise error
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
        if isinstance(error, MachineFailed):
            self.fault = error
        worth, exercise = mark.args
        outcome, message = _outcome(error)
        earned = worth if outcome == "passed" else 0
        named = error.named if isinstance(error, WrongAnswer) else ()
        mistakes = tuple({"id": each.mistake, "numbers": _numbers(each.numbers)} for each in named)
        name, first = item.name.removeprefix("test_"), named[0].mistake if named else None
        self.checks.append(Check(exercise, name, earned, worth, outcome, message, first, mistakes))

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
        return Result(student, self.run.assembled.lab.name, status, reason, self.run.seed, checks=tuple(checks))

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


def _numbers(numbers: Mapping[str, object]) -> dict[str, object]:
    """What shows a mistake, as JSON holds it: numbers, short texts, and lists of them."""
    return {name: _plain_value(value) for name, value in numbers.items()}


def _plain_value(value: object) -> object:
    value = value.item() if isinstance(value, np.generic) else value
    match value:
        case None | bool() | int():
            return value
        case float():
            return value if math.isfinite(value) else str(value)
        case list() | tuple():
            return [_plain_value(each) for each in value[:20]]
    return shortened(str(value))


def _cell_message(error: BaseException) -> str:
    if isinstance(error, NbCellError):
        last = [line for line in (error.inner_traceback or "").splitlines() if line.strip()]
        if "outputs differ" in str(error):
            return "The output differs from the reference output."
        return f"{error}: {_plain(last[-1])}" if last else str(error)
    return str(error)


def _plain(text: str) -> str:
    """Text without terminal colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def _readable(cell: str) -> str:
    return "a cell that the student added" if cell.startswith("added-") else cell.removeprefix("check_")
