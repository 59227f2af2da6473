"""A submission's result as one plain record: the fields of results.json that come from grading."""

from __future__ import annotations

from typing import Any

from labkit.grade.judge.results import Check, Result
from labkit.student.judging.finding import Finding
from labkit.student.judging.words import say
from labkit.student.model.text import shortened


def facts_of(result: Result) -> dict[str, Any]:
    """Convert a result to its record, with points and with messages in English."""
    names = ("submitted_at", "late", "attempt", "language")
    return {
        **{name: getattr(result, name) for name in ("student", "lab", "status")},
        "reason": result.why(),
        **{name: getattr(result, name) for name in ("score", "max_score", "seed")},
        "file": result.submission.file,
        "by": result.submission.source,
        **{name: getattr(result.submission, name) for name in names},
        "passed_over": [*result.submission.passed_over],
        "written": result.written,
        "checks": [_check(result, check) for check in result.checks],
    }


def _check(result: Result, check: Check) -> dict[str, Any]:
    def shown(fact: object) -> object:
        """Shorten a fact to a number, a short text, or a list of these."""
        if isinstance(fact, list):
            return [shown(each) for each in fact[:20]]
        fact = say(check.exercise, fact) if isinstance(fact, Finding) else fact
        return shortened(fact) if isinstance(fact, str) else fact

    numbers = [{name: shown(fact) for name, fact in each.facts.items()} for each in check.mistakes]
    return {
        "exercise": check.exercise,
        "name": check.name,
        "points": result.points(check),
        "max_points": result.max_points(check),
        "outcome": check.outcome,
        "message": check.message(),
        "mistake": check.mistake,
        "mistakes": [{"id": each.mistake, "numbers": own} for each, own in zip(check.mistakes, numbers)],
    }
