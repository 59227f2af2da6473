"""Run a student's code at new arguments, as it is and with one token changed, in the confinement of grading.

The kernel gets the student's own code and arguments, and nothing else. The new arguments are like those of the public calls, but
small; calls that the student could have seen, or that a check draws, are left out. What the notebook's check says about a changed
answer is computed here, from the values that its public calls return.
"""

from __future__ import annotations

import ast
import random
import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, cast

import numpy as np

from labkit.grade.judge.assemble import with_code
from labkit.grade.judge.changes import Change, changes
from labkit.grade.judge.run import Run, request_of
from labkit.student.calls.calling import KINDS, PICTURE, gives_plain_data, reply
from labkit.student.judging.finding import Finding, from_json
from labkit.student.judging.observation import Observation, Raised, call_of
from labkit.student.model.budgets import Budgets
from labkit.student.model.course import Exercise, Probe, SymbolicArgument
from labkit.student.model.project import Project
from labkit.student.notebook.examine import examine
from labkit.student.notebook.expected import graders_expected, mistakes_of

MOST_CHANGES, MOST_PICTURES, MOST_CHECKED = 16, 6, 8  # changes that run for each exercise; of a figure; with its check
MOST_NAMED = 2  # changes whose mistake the check names; then it is asked no more
CALLS, DRAWS = 2, 24  # new calls for each exercise, and draws to find them
MOST_STOPS = 2  # changes that hung or ended a kernel, after which the exercise's other changes are left out
LONGEST, MOST_LINES = 400, 45  # characters or entries of a value, and lines of code, that fit on a page
SECONDS = 2.0  # for one call, which normally takes milliseconds
DRAWN = 5  # calls of which the CALLS with most to see are kept
SEEN = 12  # entries of a value; more make no difference
EMPTY = re.compile(r"\b(np|numpy)\.empty(?=_like\b|\()")  # its entries are whatever the memory has
SMALL = range(1, 9)  # new whole numbers, with the sign and parity of a public one
LARGE, ROUND = 100, (1, 2)  # from here on, numbers get another first digit, and zeros


@dataclass(frozen=True)
class Trial:
    """Try changes to one student's answers. `code` has all their answers in code, `exercises` those to change."""

    student: str
    lab: str
    code: tuple[tuple[str, str], ...]
    exercises: tuple[str, ...]
    draw: str  # decides the new arguments and the changes
    seed: int = 0  # of the hidden calls that the student's answers were graded with
    budgets: Budgets = Budgets()


@dataclass(frozen=True)
class Tried:
    """What one version of the code returned, for each call, and the one mistake that the check names, if it was asked."""

    change: Change | None
    values: tuple[object, ...]
    mistake: Finding | None = None


@dataclass(frozen=True)
class Tries:
    """One exercise's code, the new calls, and what each version returned. The first version is the unchanged code."""

    exercise: str
    code: str
    calls: tuple[str, ...] = ()
    tried: tuple[Tried, ...] = ()
    sentences: tuple[Finding, ...] = ()  # mistakes in this exercise's catalogue, one for each id
    reason: str = ""  # why there is nothing to ask: the id of a message, or an error in words


def try_out(project: Project, trial: Trial, taken: Collection[bytes]) -> Iterator[Tries]:
    """Try the changes of each exercise. `taken` has the requests of calls to leave out. Errors: MachineFailed."""
    lab, code = project.course.labs[trial.lab], dict(trial.code)
    budgets = replace(trial.budgets, cell_seconds=min(SECONDS, trial.budgets.cell_seconds))
    run = Run(project, with_code(project, lab, code), budgets)
    try:
        for exercise in lab.exercises:
            if exercise.name in trial.exercises:
                draw = random.Random(f"{trial.draw}/{exercise.name}")
                yield _Tries(run, exercise, run.assembled.code[exercise.name], draw, taken).all()
    finally:
        run.close()


class _Tries:
    """The tries of one exercise."""

    def __init__(self, run: Run, exercise: Exercise, code: str, draw: random.Random, taken: Collection[bytes]):
        self.run, self.exercise, self.code, self.draw, self.taken = run, exercise, code, draw, taken
        self.is_figure = exercise.kind == "figure"
        self.asked = replace(exercise, kind=PICTURE) if self.is_figure else exercise
        self.expected = graders_expected(run.project, run.lab)

    def all(self) -> Tries:
        own, code = self.exercise, self.code
        found = changes(code)
        if not KINDS[own.kind].call:
            return Tries(own.name, code, reason="no-function")
        if len(code.splitlines()) > MOST_LINES:
            return Tries(own.name, code, reason="long-code")
        if not found:
            return Tries(own.name, code, reason="no-changes")
        if not self._define(code):
            return Tries(own.name, code, reason="not-alone")
        probes = self._calls()
        if self._is_stopped():
            return Tries(own.name, code, reason="stopped")
        if not probes and not own.checked:
            return Tries(own.name, code, reason="no-calls")
        most = MOST_PICTURES if self.is_figure else MOST_CHANGES if probes else MOST_CHECKED
        tried = tuple(self._tried(_spread(found, most, self.draw), [*probes.values()]))
        self._define(code)  # for the exercises that call this one
        return Tries(own.name, code, tuple(probes), tried, self._sentences())

    def _tried(self, picked: list[Change], probes: list[Probe]) -> Iterator[Tried]:
        stops = named = 0
        for number, change in enumerate((None, *picked)):
            each = self._run(change, probes, examined=0 < number <= MOST_CHECKED and named < MOST_NAMED)
            named += bool(each and each.mistake)
            if each or change is None:
                yield each or Tried(None, ())
            stops += self._is_stopped()
            if stops >= MOST_STOPS:
                return

    def _run(self, change: Change | None, probes: list[Probe], examined: bool) -> Tried | None:
        """Run one version. Returns None if it does not run, ends its kernel, or returns memory that it never wrote."""
        code, starts = change.applied(self.code) if change else self.code, self.run.starts
        found: dict[bytes, Tried] = {}
        for each in sorted({EMPTY.sub(rf"\1.{filled}", code) for filled in ("zeros", "ones")}):
            if self._define(each):
                values = tuple(self.run.ask(self.asked, probe) for probe in probes)
                tried = Tried(change, values, self._mistake() if examined else None)
                found[b"".join(map(reply, values)) + repr(tried.mistake).encode()] = tried
            if self._is_stopped() or self.run.starts != starts:
                return None
        return found.popitem()[1] if len(found) == 1 else None

    def _is_stopped(self) -> bool:
        return self.exercise.name in self.run.stopped

    def _define(self, code: str) -> bool:
        """Run a version of the code, and forget the replies of the one before. Returns whether it ran without an error."""
        self.run.forget()
        self.run.stopped.pop(self.exercise.name, None)
        return self.run.execute(self.exercise.name, code)

    def _mistake(self) -> Finding | None:
        """The mistake that the notebook's check names, if it names one only."""
        own = self.exercise
        if not own.checked or self._is_stopped():
            return None
        findings = examine(self.run.project.course, own, lambda probe: self.run.ask(own, probe), self.expected).findings
        return findings[0] if len(findings) == 1 and findings[0].named else None

    def _sentences(self) -> tuple[Finding, ...]:
        """One finding for each mistake with a stored wrong value."""
        found: dict[str, Finding] = {}
        for known in self.expected.get(mistakes_of(self.exercise), ()) if self.exercise.checked else ():
            facts = {name: from_json(fact) for name, fact in known.get("facts", {}).items()}
            for id in known["id"].split()[:1]:
                found.setdefault(id.partition("/")[0], Finding(id, facts, named=True))
        return tuple(found.values())

    def _calls(self) -> dict[str, Probe]:
        """Draw new calls, by their text, to which the unchanged code gives a small value. There may be none."""
        found: dict[str, tuple[int, Probe]] = {}
        public = [probe for probe in self.exercise.probes if probe.args and not probe.raises]
        for _ in range(DRAWS if public and (self.is_figure or gives_plain_data(self.exercise.kind)) else 0):
            try:
                probe = Probe(tuple(varied(arg, self.draw) for arg in self.draw.choice(public).args))
                text, request = call_of(Observation(self.exercise, probe.args, None)), request_of(self.exercise, probe)
            except Exception:  # these numbers do not fit together in an argument of the course
                continue
            if request in self.taken or not isinstance(text, str) or not _says_all(text) or text in found:
                continue
            value = self.run.ask(self.asked, probe)
            if isinstance(value, np.ndarray) if self.is_figure else _is_small(value):
                found[text] = value.size if isinstance(value, np.ndarray) else 1, probe
            if self._is_stopped() or len(found) == (1 if self.is_figure else DRAWN):
                break
        most = sorted(found, key=lambda text: -min(SEEN, found[text][0]))[:CALLS]
        return {text: found[text][1] for text in most}


def varied(arg: object, draw: random.Random) -> Any:
    """Another argument of the same form, with small numbers. Symbolic arguments change only where their call shows it."""
    match arg:
        case bool() | str():
            return arg
        case int() if abs(arg) >= LARGE:
            return draw.choice(ROUND) * 10 ** (len(str(abs(arg))) - 1) * (1 if arg > 0 else -1)
        case int():
            near = [each for each in SMALL if each % 2 == arg % 2] if arg else [*range(4)]
            return draw.choice(near) * (-1 if arg < 0 else 1)
        case float() if abs(arg) >= LARGE:
            return float(varied(int(arg), draw))
        case float() if 0 < abs(arg) < 0.1:
            return draw.choice([0.1, 0.01, 0.001])
        case float():
            return draw.choice([0.5, 1.5, 2.0, 2.5, 3.0])
        case tuple():
            return tuple(dict.fromkeys(varied(each, draw) for each in arg[:3]))
        case SymbolicArgument() if is_dataclass(arg):
            for each in fields(arg):
                other = replace(arg, **{each.name: varied(getattr(arg, each.name), draw)})
                arg = cast("SymbolicArgument", other) if other.described() != arg.described() else arg
    return arg


def _says_all(call: str) -> bool:
    """Whether the text of a call states its arguments: every name in it is called, or has an attribute that is."""
    tree = ast.parse(call, mode="eval")
    used = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    used |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return all(id(node) in used for node in ast.walk(tree) if isinstance(node, ast.Name))


def _is_small(value: object) -> bool:
    if isinstance(value, np.ndarray):
        return 0 < value.size <= LONGEST and value.dtype.kind != "S"
    return not isinstance(value, Raised) and value is not None and len(repr(value)) <= LONGEST


def _spread(found: list[Change], most: int, draw: random.Random) -> list[Change]:
    """Draw some of the changes, in turn from each line, so that most lines have one."""
    turns: Counter[int] = Counter()

    def turn(change: Change) -> int:
        turns[change.line] += 1
        return turns[change.line]

    return sorted(draw.sample(found, len(found)), key=turn)[:most]
