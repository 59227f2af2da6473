"""Submissions in, facts out: run each submission isolated, and record what its checks found."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from typing import Any

__all__ = ["grade"]


def grade(
    *paths: str | PathLike[str], seed: int, course: str | PathLike[str] = ".", jobs: int = 1
) -> Iterator[dict[str, Any]]:
    """Grade all submissions below these paths, and yield one record for each, sorted by student and lab.

    A record has the fields of results.json: `student`, `lab`, `status`, `reason`, `score`, `max_score`, `checks` and others.
    `course` is the folder with labkit.toml.
    Errors: UserError, a one-line message about wrong paths, the course, or a machine that cannot isolate kernels.
    """
    from labkit.grade.batch.grade import records

    return records(paths, seed, course, jobs)
