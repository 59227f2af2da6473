"""What a command ends with when it cannot do what was asked: one clear line, and an exit code."""

from __future__ import annotations

import click


class Problem(click.ClickException):
    """Something the user can mend: one clear line, exit code 2."""

    exit_code = 2


class Failure(click.ClickException):
    """The machine or the grader failed, which is nobody's result: one clear line, exit code 3."""

    exit_code = 3
