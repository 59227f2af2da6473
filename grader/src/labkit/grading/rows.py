"""The row of a submission: what was found, as the result of one student."""

from __future__ import annotations

from dataclasses import replace

from labkit.grading.no_points import explained
from labkit.intake.choose import Chosen
from labkit.judge.results import Result, unjudged


def in_the_name_of(chosen: Chosen, result: Result) -> Result:
    """The result as this student's: the same bytes may have been handed in by several, under other names and times.

    A row with 0 points has a reason.
    """
    names = ("student", "passed_over", "submitted_at", "late", "attempt", "language")
    entry, reason = chosen.entry, explained(result, chosen.passed_over)
    own = {name: getattr(chosen, name) for name in names}
    return replace(result, file=entry.file, by=entry.by, reason=reason, **own)


def row_of(chosen: Chosen, status: str, reason: str, seed: int) -> Result:
    return in_the_name_of(chosen, unjudged(chosen.student, chosen.lab, status, reason, seed))
