"""Classroom 50: a result.json for each student and lab.

Classroom 50 expects whole points, so halves are rounded up; separate fields have the exact points. Fields that only
Classroom 50 can fill in (classroom, commit, release, review) are left empty.
"""

from __future__ import annotations

import math

from labkit.desk.score_store import Row, Run
from labkit.exports.items import items_of

NAME = "result.json"
SCHEMA = "classroom50/result/v1"


def result(row: Row, run: Run) -> dict:
    """Build the content of result.json: the final score and the tests."""
    tests = [
        {
            "test-name": item.name,
            "passed": item.passed,
            "score": _whole(item.points),
            "max-score": _whole(item.most),
            "exact-score": item.points,
            "message": item.message,
        }
        for item in items_of(row)
    ]
    return {
        "schema": SCHEMA,
        "classroom": None,
        "assignment": row.lab,
        "submission": row.student,
        "commit": None,
        "release": None,
        "review": None,
        "datetime": row.result.get("submitted_at"),
        "score": _whole(row.final),
        "max-score": _whole(row.max_score),
        "exact-score": row.final,
        "penalty": row.penalty,
        "adjusted": row.adjusted,
        "adjustments": [str(each) for each in row.adjustments],
        "run": str(run),
        "tests": tests,
    }


def _whole(points: float) -> int:
    return math.floor(points + 0.5)
