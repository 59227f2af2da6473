"""Gradescope: the results.json of one submission, as Gradescope's autograders write it.

All tests are visible to the student, because a hidden test would also hide the total.
"""

from __future__ import annotations

from labkit.desk.lms.items import items_of, summary_of
from labkit.desk.people.final_score import FinalScore
from labkit.desk.people.score_store import Run

NAME = "results.json"


def result(row: FinalScore, run: Run) -> dict:
    """Build the content of results.json: the final score, which replaces the sum of the tests, and each test's points."""
    tests = [
        {
            "name": item.name,
            "number": str(number),
            "score": item.points,
            "max_score": item.most,
            "status": "passed" if item.passed else "failed",
            "output": item.message,
            "output_format": "text",
            "visibility": "visible",
        }
        for number, item in enumerate(items_of(row), 1)
    ]
    return {
        "score": row.final,
        "output": "\n".join(summary_of(row)),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
        "extra_data": {
            "lab": row.lab,
            "run": str(run),
            "raw_score": row.score,
            "penalty": row.penalty,
            "adjusted": row.moved,
        },
    }
