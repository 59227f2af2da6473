"""Run the autograder's tests in the student's own kernel, for tools that cannot run tests anywhere else.

Nothing is isolated in that kernel, so an answer could tamper with its grading. `labkit grade` never does this.
"""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import pytest

from labkit.grade.judge.answers import Answers
from labkit.grade.judge.plugin import RUN, run_pytest
from labkit.grade.judge.points import points_by_check
from labkit.grade.judge.results import Check
from labkit.student.judging.observation import Raised
from labkit.student.judging.words import say_all
from labkit.student.model.course import Exercise, Lab, Probe
from labkit.student.model.project import Project, current
from labkit.student.model.text import printable
from labkit.student.notebook.examine import call_in, user_namespace

SEED = "LABKIT_SEED"  # environment variable for the seed of the hidden calls


@dataclass
class InKernelRun:
    """The namespace with the answers, and the seed. Used in place of a Run."""

    project: Project
    lab: Lab
    namespace: Mapping[str, object]
    seed: int = 0
    stopped: dict[str, Raised] = field(default_factory=dict)  # by exercise: answers that had to be stopped
    checks: list[Check] = field(default_factory=list)

    def pytest_configure(self, config: pytest.Config) -> None:
        config.stash[RUN] = self

    @cached_property
    def answers(self) -> Answers:
        return Answers(self.project, self.lab, self)

    def ask(self, exercise: Exercise, probe: Probe) -> object:
        """Call the answer. Returns a value or Raised."""
        value = self.stopped.get(exercise.name) or call_in(self.namespace, exercise, probe)
        if isinstance(value, Raised) and value.error == "TimedOut":
            self.stopped[exercise.name] = value
        return value


_runs: dict[str, InKernelRun] = {}


def points_of(lab: str, check: str) -> float:
    """Run a check on this notebook's current answers. Returns the points earned, and prints the reason for a failure.

    If the call is a cell's last line, nbgrader takes its value as partial credit.
    """
    project = current()
    if lab not in _runs:
        seed = int(os.environ.get(SEED, 0))
        _runs[lab] = InKernelRun(project, project.course.labs[lab], user_namespace(), seed)
    run, nowhere = _runs[lab], io.StringIO()  # nbgrader fails a cell with output on stderr
    run.checks = []
    run_pytest(project, nowhere, ("-p", "no:terminalreporter", f"{project.tests_of(lab)}::test_{check}"), run)
    points, exercise = points_by_check(project, lab)[check.partition("[")[0]]
    if run.checks and all(each.outcome == "passed" for each in run.checks):
        return float(points)
    print(f"{exercise}: {_reason(run.checks) or 'this check does not pass'}")
    return 0.0


def _reason(checks: list[Check]) -> str:
    """A check's failure in words. A test's own message is left out, because it could show hidden values."""
    findings = [finding for check in checks for finding in check.findings if finding.id not in ("said", "check-failed")]
    return printable(say_all(checks[0].exercise, findings)) if findings else ""
