"""PrairieLearn: a results.json of at most 1 MB for each student and lab, with a score from 0 to 1.

An ungraded submission is reported as a format error, because that costs the student no attempt in PrairieLearn.
"""

from __future__ import annotations

from labkit.desk.score_store import Row, Run
from labkit.exports.folders import text_of
from labkit.exports.items import items_of, summary_of

NAME = "results.json"
LARGEST = 1_000_000  # bytes
UNGRADED = ("unreadable", "not_a_lab")


def result(row: Row, run: Run) -> dict:
    """Build results.json. The score is a fraction of all points, ungraded answers included, and is at most 1."""
    if row.status in UNGRADED and not row.adjustments or not row.max_score:
        return {"gradable": False, "format_errors": [*summary_of(row)][1:] or [row.status], "output": str(run)}
    for longest in (1000, 200, 40):
        whole = _with_tests(row, run, longest)
        if len(text_of(whole).encode("utf-8", "backslashreplace")) <= LARGEST:
            return whole
    return {**whole, "tests": [], "message": f"{row.final:g} of {row.max_score:g} points; too many checks to list"}


def _with_tests(row: Row, run: Run, longest: int) -> dict:
    tests = [
        {"name": item.name, "points": item.points, "max_points": item.most, "message": item.message}
        for item in items_of(row, longest)
    ]
    lines = [line[:longest] for line in summary_of(row)]
    score = min(1.0, max(0.0, row.final / row.max_score))
    return {"gradable": True, "score": score, "message": "\n".join(lines), "output": str(run), "tests": tests}
