"""The error for users, which ends a command with one line and an exit code."""


class UserError(Exception):
    """Wrong usage, or a wrong file in the course, the class or the results. The message is one line: what, where, what to do."""

    exit_code = 2
