"""The reference's values of earlier exercises, for answers that are rechecked without an earlier wrong one.

The student's kernel gets values, never code: each call to the earlier answer becomes a question to the grader. Values are
given only for public arguments, and for arguments with which the solution's later answer calls the earlier one in the
same check. Few of these are also arguments of the earlier answer's hidden checks. Only failed checks are run again, and
only their outcomes are kept.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from labkit.grade.judge.assemble import Assembled, reference_cells
from labkit.grade.judge.run import Run, request_of
from labkit.student.calls import wire
from labkit.student.calls.calling import reply
from labkit.student.calls.earlier import RECORD
from labkit.student.judging.observation import Raised
from labkit.student.model.budgets import Budgets
from labkit.student.model.course import Exercise, Lab, Probe
from labkit.student.model.project import Project

MOST_VALUES = 20_000  # answers per group of earlier exercises; a search with one call per offset asks 3,284 times
MOST_RECORDED = 200  # calls of the solution that are kept for each group of exercises; lab 01 makes 19
NO_VALUE = Raised("RuntimeError", "")
Table = tuple[dict[float, int], np.ndarray]  # the row number of each entry of a list argument, and the rows of values


class ReferenceValues:
    """Values that the solution's earlier answers returned to its later ones. A student's kernel may ask for the same values."""

    def __init__(self, project: Project, lab: Lab, names: Collection[str], budgets: Budgets):
        solution = Assembled(lab, reference_cells(project, lab))
        self.run = Run(project, solution.recorded(names), budgets)  # its kernel starts at the first new call
        self.earlier = [each for each in lab.exercises if each.name in names]
        self.recorded = _recorded(project, lab, frozenset(names))
        self.values: dict[tuple[object, ...], object] = {}  # by name and arguments
        self.tables: dict[tuple[object, ...], list[Table]] = {}  # results with a row for each entry of a list
        self.most: dict[str, int] = {}  # the most arguments of a recorded call, by name
        self.made: set[bytes] = set()  # the calls that were made, as requests
        self.asked = 0

    def record(self, exercise: Exercise, probe: Probe) -> None:
        """Make this call to the solution too, and keep its calls to earlier answers. What cells call, and public calls, come first."""
        if not self.made:
            self._make(b"")
            for each in self.earlier:
                for public in each.probes:
                    self._make(request_of(each, public), each, public)
        self._make(request_of(exercise, probe), exercise, probe)

    def _make(self, request: bytes, *call: Any) -> None:
        """Make a call to the solution, an exercise and a probe, unless it was made before, for this submission or another one.

        Without a call, only the solution's cells run.
        """
        if request in self.made:
            return
        self.made.add(request)
        taken = self.recorded.get(request)
        if taken is None:
            if call:
                self.run.ask(*call)
            answer = self.run.ask(Exercise(RECORD), Probe((len(self.made),)))
            if not isinstance(answer, list):
                return
            taken = answer
            if len(self.recorded) >= MOST_RECORDED:  # other seeds' calls, in a worker of a cluster
                self.recorded.clear()
            if not self.run.stopped:  # otherwise the machine was too slow, and some calls may be missing
                self.recorded[request] = taken
        self.keep(taken)

    def keep(self, taken: Iterable[list[Any]]) -> None:
        """Store the calls recorded in the solution's kernel: name, arguments, whether a value was returned, and that value or the error."""
        for name, args, is_value, value in taken:
            value = value if is_value else Raised(value, "")
            self.values[name, _key(args)] = value
            self.most[name] = max(len(args), self.most.get(name, 0))
            for place, entries in _lists(args):
                if isinstance(value, np.ndarray) and len(value) == len(entries):
                    rows = {entry: row for row, entry in enumerate(entries)}
                    self.tables.setdefault(_table(name, args, place), []).append((rows, value))

    def reply(self, question: str) -> str:
        """Answer one question from the student's kernel. The question may be forged, and as large as a kernel can send."""
        self.asked += 1
        try:
            match wire.loads(wire.from_text(question)) if self.asked <= MOST_VALUES else None:
                case [str(name), list(args)] if len(args) <= self.most.get(name, 0):
                    return wire.as_text(reply(self._value(name, args)))
        except (wire.Malformed, wire.Unsendable, MemoryError):
            pass
        return wire.as_text(reply(NO_VALUE))

    def _value(self, name: str, args: list[object]) -> object:
        if (name, _key(args)) in self.values:
            return self.values[name, _key(args)]
        for place, entries in _lists(args):
            for rows, value in self.tables.get(_table(name, args, place), ()):
                if len(entries) <= len(value) and rows.keys() >= {*entries}:
                    return value[[rows[entry] for entry in entries]]
        return NO_VALUE


def _key(args: list[object]) -> tuple[object, ...]:
    """Make a lookup key from arguments. Numbers are compared by value, whatever their type, and lists as arrays."""
    numbers = map(_numbers, args)
    return tuple(repr(arg) if array is None else (array.shape, array.tobytes()) for array, arg in zip(numbers, args))


def _table(name: str, args: list[object], place: int) -> tuple[object, ...]:
    """Make a lookup key for calls with a list argument at position `place`: the name, the position, and all other arguments."""
    return name, place, _key(args[:place] + args[place + 1 :])


def _lists(args: list[object]) -> Iterator[tuple[int, list[float]]]:
    """Yield the arguments that are lists of numbers, with their positions."""
    for place, array in enumerate(map(_numbers, args)):
        if array is not None and array.ndim == 1:
            yield place, array.tolist()


def _numbers(arg: object) -> np.ndarray | None:
    """Convert the argument to a float64 array. Returns None if it is not a number, a list of numbers, or an array."""
    try:
        array = np.asarray(arg)
        return array.astype(np.float64) if array.dtype.kind in "biuf" else None
    except ValueError:  # rows of unequal length, or an empty array whose shape is too large for float64
        return None


@lru_cache(maxsize=16)
def _recorded(project: Project, lab: Lab, names: frozenset[str]) -> dict[bytes, list[list[Any]]]:
    """The calls that the solution makes to the exercises `names`, by request. A class asks mostly the same, so each is made once."""
    return {}
