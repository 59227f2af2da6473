"""Draw figures that lost points, and all of the solution's figures, for display side by side.

The kernel sends raw pixels and the PNG is made here, so the grader never decodes an image file from a submission. Drawing uses a
separate kernel, because it may run code that grading did not. Nothing that happens there costs points.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace
from functools import cache

import numpy as np

from labkit.grade.judge.results import Result
from labkit.grade.judge.run import Run
from labkit.grade.sandbox.faults import MachineFailed
from labkit.student.calls.kinds import PICTURE, received
from labkit.student.model.course import Exercise
from labkit.student.model.project import Project
from labkit.student.notebook.figures import png_of


def with_pictures(result: Result, run: Run, content: bytes) -> Result:
    """Add pictures of the figures that lost points. If `content` is the solution, add all figures."""
    figures = [each for each in run.assembled.lab.exercises if each.kind == "figure" and each.probes]
    lost = _lost(result)
    if figures and content == _solution(run.project, result.lab):
        lost = {each.name for each in figures}
    shown = [each for each in figures if each.name in lost]
    return replace(result, pictures=_pictures(run, shown)) if shown else result


def still_shown(before: Result, after: Result) -> Result:
    """Keep the pictures of `before` in the result `after`, except for figures that no longer lose points."""
    earned = _lost(before) - _lost(after)
    return replace(after, pictures={name: png for name, png in before.pictures.items() if name not in earned})


def _lost(result: Result) -> set[str]:
    return {check.exercise for check in result.checks if check.outcome == "failed"}


@cache
def _solution(project: Project, lab: str) -> bytes:
    return (project.solutions / f"{lab}.ipynb").read_bytes()


def _pictures(run: Run, exercises: Collection[Exercise]) -> dict[str, str]:
    """Draw the first public call of each exercise as a base64 PNG. Figures that cannot be drawn are left out."""
    found, again = {}, replace(run, clocks=[*run.clocks])  # drawing takes no time from the checks
    with suppress(MachineFailed):  # pictures do not affect results
        try:
            for exercise in exercises:
                asked, probe = replace(exercise, kind=PICTURE), exercise.probes[0]
                pixels = received(asked, probe, again.session.ask(asked, probe))
                if isinstance(pixels, np.ndarray):
                    found[exercise.name] = png_of(pixels)
        finally:
            again.close()
    return found
