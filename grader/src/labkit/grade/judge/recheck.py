"""Run a submission again in other kernels, after its tests: to draw figures, and to recheck answers that other cells may have broken.

- Own cell: a later cell may reuse a name or change a setting that an answer needs, such as `np = 5`. In the notebook, the check
  right after the answer still passed. Only code that ran up to the answer's own cell counts here, and the exercise then counts
  as a whole: either as at the end or as after its own cell. The end comes first, because an answer may use a helper from a later
  cell.
- Follow-through: an answer may use an earlier wrong one. Its failed checks run again with the reference's values for the earlier
  one. An earlier answer that passes in this way is not wrong, so that later answers use it as it is.

The findings of a second run are dropped: hidden values were drawn before it, and it could show the reference's values.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import cache

import numpy as np

from labkit.grade.intake.submission import Submission
from labkit.grade.judge.names import changed_later, dependent_exercises
from labkit.grade.judge.reference_values import ReferenceValues
from labkit.grade.judge.results import Check, Result
from labkit.grade.judge.run import Run
from labkit.grade.sandbox.faults import MachineFailed
from labkit.student.calls.calling import PICTURE, received
from labkit.student.judging.finding import Finding
from labkit.student.model.project import Project
from labkit.student.notebook.figures import png_of

# Runs the lab's tests whose exercise and check are wanted.
Test = Callable[[Run, Callable[[str, str], bool]], None]


def result_after_rechecks(run: Run, submission: Submission, content: bytes, test: Test) -> Result:
    """Draw figures and recheck failed checks. Returns the submission's result, with pictures of figures that still lose points."""
    first = run.result(submission)
    if run.stopped:
        return first
    # Draw before rechecking, because a kernel started afterwards could find traces of reference values in the page cache.
    pictures = _pictures(run, _failed(first), content)
    dependent = dependent_exercises(run.checks, run.assembled)
    _at_own_cells(run, test)
    _follow_through(run, test, dependent)
    last = run.result(submission)
    earned = _failed(first) - _failed(last)
    return replace(last, pictures={name: png for name, png in pictures.items() if name not in earned})


def _failed(result: Result) -> set[str]:
    return {check.exercise for check in result.checks if check.outcome == "failed"}


def _pictures(run: Run, lost: Collection[str], content: bytes) -> dict[str, str]:
    """Draw the figures that lost points, by the first public call, as base64 PNG. If `content` is the solution, draw all figures.

    The kernel sends raw pixels and the PNG is made here, so the grader never decodes an image file from a submission. Drawing
    uses a separate kernel, because it may run code that grading did not. Nothing that happens there costs points.
    """
    figures = [each for each in run.lab.exercises if each.kind == "figure" and each.probes]
    if not figures or content != _solution(run.project, run.lab.name):
        figures = [each for each in figures if each.name in lost]
    found, again = {}, replace(run, clocks=[*run.clocks])  # drawing takes no time from the checks
    with suppress(MachineFailed):  # pictures do not affect results
        try:
            for exercise in figures:
                asked, probe = replace(exercise, kind=PICTURE), exercise.probes[0]
                pixels = received(asked, probe, again.ask(asked, probe))
                if isinstance(pixels, np.ndarray):
                    found[exercise.name] = png_of(pixels)
        finally:
            again.close()
    return found


@cache
def _solution(project: Project, lab: str) -> bytes:
    return (project.solutions / f"{lab}.ipynb").read_bytes()


def _at_own_cells(run: Run, test: Test) -> None:
    """Recheck answers that a later cell may have broken, each right after its own cell."""
    exercises = changed_later(run.checks, run.assembled)
    if not exercises:
        return
    run.close_kernel()  # two kernels would need twice the memory
    again, cells = replace(run), iter(run.assembled.defining_cells())
    again.cells = []
    try:
        for exercise in exercises:
            for cell in cells:
                again.add_cell(cell.id, cell.source)
                if cell.metadata.labkit.exercise == exercise:
                    break
            again.checks = []
            test(again, lambda own, _: own == exercise)
            counted = better(run.checks, again.checks, exercise)
            if counted != run.checks and getattr(again.answers, exercise).examination.right:
                run.differing -= {exercise}
            run.checks = counted
    finally:
        again.close()


def better(checks: Collection[Check], again: Collection[Check], exercise: str) -> list[Check]:
    """Count the exercise as after its own cell if it then passes more checks, and all that it passes at the end."""
    then = {check.name for check in again if check.outcome == "passed"}
    at_end = {check.name for check in checks if check.exercise == exercise and check.outcome == "passed"}
    more = then - at_end if at_end < then else ()
    return [
        _as_passed(check, "own-cell") if check.exercise == exercise and check.name in more else check
        for check in checks
    ]


def _follow_through(run: Run, test: Test, dependent: Mapping[frozenset[str], Collection[str]]) -> None:
    """Recheck exercises that use wrong answers. `dependent` groups them by these.

    At first only the answers that still lose points are replaced: mostly they are those of the group before, in whose kernel the
    checks then run. If that is not enough, all wrong answers of the group are replaced, in a new kernel.
    """
    with ExitStack() as kernels:
        replaced, again = frozenset[str](), run
        for causes, exercises in dependent.items():
            for wrong in dict.fromkeys((causes & _losing(run.checks) or causes, causes)):
                failed = {each.name for each in run.checks if each.exercise in exercises and each.outcome != "passed"}
                if not failed:
                    break
                if wrong != replaced or wrong == causes:
                    kernels.close()
                    replaced, again = wrong, kernels.enter_context(_answered(run, wrong))
                again.checks = []
                test(again, lambda _, name: name in failed)
                _at_own_cells(again, test)
                # Some causes may be right after their own cells.
                lost = causes & _losing(run.checks) if wrong == causes else ()
                run.checks = [earned(check, again.checks, wrong, lost) for check in run.checks]


def _losing(checks: Iterable[Check]) -> set[str]:
    return {check.exercise for check in checks if check.outcome != "passed"}


@contextmanager
def _answered(run: Run, wrong: Collection[str]) -> Iterator[Run]:
    """The submission with another kernel, in which the grader answers all calls to the wrong answers."""
    share = run.budgets.memory_share
    budgets = replace(run.budgets, memory_share=share and share // 2)  # two kernels run at the same time
    reference = ReferenceValues(run.project, run.lab, wrong, budgets)
    assembled = run.assembled.answered_by_grader(run.project, wrong)
    again = replace(run, assembled=assembled, budgets=budgets, supply=reference.reply, before=reference.record)
    try:
        yield again
    finally:
        again.close()
        reference.run.close()


def earned(check: Check, again: Iterable[Check], causes: Collection[str], lost: Collection[str]) -> Check:
    """Count the check as passed if it passes with the solution's answers to the exercises `causes`. A finding records this.

    `lost` are those of the causes that still lose points.
    """
    outcome = next((other.outcome for other in again if other.name == check.name), None)
    if check.outcome != "passed" and outcome == "passed":
        return _as_passed(check, "follows", names=sorted(causes))
    if lost and check.outcome == outcome == "failed":
        return replace(check, findings=(*check.findings, Finding("fails-again", {"names": sorted(lost)})))
    return check


def _as_passed(check: Check, why: str, **facts: object) -> Check:
    return replace(check, outcome="passed", findings=(Finding(why, facts),))
