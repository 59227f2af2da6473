"""Why a row has 0 points, where nothing else says it. It follows from the points of today, so it is kept nowhere."""

from __future__ import annotations

from collections.abc import Sequence

from labkit.judge.outcomes import said, together
from labkit.judge.results import REFERENCE_OUTPUTS, RUBRIC, Result
from labkit.judging.finding import Finding

BESIDE = (REFERENCE_OUTPUTS, RUBRIC)  # the check of each exercise that is missing where it is not answered
NAMED = 3  # files that a reason names


def explained(result: Result, others: Sequence[str]) -> Finding | None:
    """The reason for its status, and for its points if there are none; `others` are files that were not graded."""
    if result.score:
        return result.reason
    if result.status != "graded":
        return result.reason if result.why().strip() else said("no reason is known; please report this")
    return together(*filter(None, (_why(result), _beside(others), result.reason)))


def _why(result: Result) -> Finding:
    """What there is of answers, by exercise. Points of written answers, which a person gives, make none of it wrong."""
    names = dict.fromkeys(check.exercise for check in result.checks)
    missing = {check.exercise for check in result.checks if check.outcome == "missing" and check.name in BESIDE}
    manual = {check.exercise for check in result.checks if check.outcome == "manual"}
    tried, written = len(names.keys() - missing - manual), len(manual)
    facts = {"count": len(names), "tried": tried, "written": written}
    return Finding("none-right" if tried else "only-written" if written else "no-answers", facts)


def _beside(others: Sequence[str]) -> Finding | None:
    more = [f"(+{len(others) - NAMED})"] if len(others) > NAMED else []
    return Finding("not-graded", {"files": [*others[:NAMED], *more]}) if others else None
