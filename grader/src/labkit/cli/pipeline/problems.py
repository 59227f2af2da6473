"""Errors that end a command: one clear line, and an exit code."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from labkit.student.model.project import Project


class Problem(click.ClickException):
    """An error that the user can fix: one clear line, exit code 2."""

    exit_code = 2


class Failure(click.ClickException):
    """The machine or the grader failed, so there is no result: one clear line, exit code 3."""

    exit_code = 3


def ask_for_isolation(project: Project, paths: Iterable[Path | None], allowed: bool) -> None:
    """Check that these files will run isolated, or that the user allowed running them without isolation. Errors: Problem."""
    from labkit.grade.judge.consent import refusal

    try:
        refused = refusal(project, filter(None, paths))
    except ValueError as problem:
        raise Problem(str(problem)) from None
    if refused and not allowed:
        raise Problem(refused)
