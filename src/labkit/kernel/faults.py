"""What goes wrong and is no submission's doing."""

from __future__ import annotations


class MachineFailed(Exception):
    """The machine or the grader failed: memory, disk, processes, a server that was killed.

    It is nobody's result. The message says what is missing, in words for whoever grades.
    """
