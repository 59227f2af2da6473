"""Convert a final score for other tools: into Gradescope's results.json, or into a few lines for a comment field.

The words are those of the student's page, in the student's language. Each exercise's remarks appear once.
"""

from __future__ import annotations

from collections.abc import Iterator

from labkit.desk.pages.feedback import phrase
from labkit.desk.people.final_score import Adjusted, FinalScore
from labkit.desk.people.score_store import Run
from labkit.grade.judge.results import NOT_JUDGED, Check
from labkit.student.model.text import in_points, printable, shortened

LONGEST = 1000  # characters of a message or line


def gradescope_result(row: FinalScore, run: Run) -> dict:
    """Build what a Gradescope autograder writes: the final score, which replaces the sum of the tests, and each test's points.

    All tests are visible to the student, because a hidden test would also hide the total.
    """
    tests = [
        {
            "name": printable(shortened(name, 200)),
            "number": str(number),
            "score": points,
            "max_score": most,
            "status": "passed" if points >= most else "failed",
            "output": printable(shortened(message, LONGEST)),
            "output_format": "text",
            "visibility": "visible",
        }
        for number, (name, points, most, message) in enumerate(_tests(row), 1)
    ]
    return {
        "score": row.final,
        "output": "\n".join((_total(row), *_reason(row), *_notes(row))),
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


def _tests(row: FinalScore) -> Iterator[tuple[str, float, float, str]]:
    """Yield the checks with points, then the graded written answers. The first check that lost points has the remarks."""
    told: set[str] = set()
    for check in _scored(row):
        name, message = check.exercise, ""
        if check.outcome != "passed" and name not in told:
            told.add(name)
            message = _remarks(row, name)
        title = f"{_title(row, name)}: {check.name.replace('_', ' ')}"
        yield title, row.result.points(check), row.result.max_points(check), message
    written = dict(row.result.written_points())
    for name, reading in row.readings.items():
        yield _phrase(row, "written", title=_title(row, name)), reading.points, written[name], reading.comment


def lines_of(row: FinalScore) -> Iterator[str]:
    """Yield the total, the reason for the status, one line for each exercise that lost points, then notes."""
    yield _total(row)
    yield from _reason(row)
    checks = [check for check in _scored(row) if check.name != NOT_JUDGED]
    if not all(check.outcome == "missing" for check in checks):  # else the reason says so
        for name in dict.fromkeys(check.exercise for check in checks if check.outcome != "passed"):
            own = [check for check in checks if check.exercise == name]
            earned, most = (in_points(sum(map(of, own))) for of in (row.result.points, row.result.max_points))
            yield _line(_phrase(row, "exercise", title=_title(row, name), points=earned, of=most), _remarks(row, name))
    yield from _notes(row)


def _total(row: FinalScore) -> str:
    if row.final is None:
        return _phrase(row, "excused")
    return _phrase(row, "total", points=in_points(row.final), of=in_points(row.max_score))


def _reason(row: FinalScore) -> Iterator[str]:
    if why := row.feedback["why"]:
        yield _line(why)


def _notes(row: FinalScore) -> Iterator[str]:
    for name, reading in row.readings.items():
        yield _line(_phrase(row, "read", title=_title(row, name), points=in_points(reading.points)), reading.comment)
    if row.to_read:
        yield _phrase(row, "ungraded", points=in_points(row.to_read))
    if row.penalty:
        yield _line(_phrase(row, "late", points=in_points(-row.penalty)), row.why_late)
    for change in row.adjustments:
        yield _changed(row, change)


def _changed(row: FinalScore, change: Adjusted) -> str:
    what = _title(row, change.exercise) if change.exercise else _phrase(row, "lab")
    after = _phrase(row, "excused") if change.after is None else in_points(change.after)
    return _line(_phrase(row, "changed", what=what, before=in_points(change.before), after=after, reason=change.reason))


def _scored(row: FinalScore) -> list[Check]:
    return [check for check in row.result.checks if row.result.max_points(check)]


def _remarks(row: FinalScore, name: str) -> str:
    """What the student's page says about an exercise, in one line, without what the reason for the status already says."""
    if all(check.outcome == "missing" for check in _scored(row) if check.exercise == name):
        return phrase("missing", row.result.language)
    told = row.feedback["exercises"].get(name, {}).get("remarks", ())
    return " ".join(remark for remark in told if remark not in row.feedback["why"])


def _title(row: FinalScore, name: str) -> str:
    return row.feedback["exercises"].get(name, {}).get("title", name)


def _phrase(row: FinalScore, id: str, **facts: object) -> str:
    return phrase(f"lms-{id}", row.result.language, **facts)


def _line(what: str, message: str = "") -> str:
    return printable(shortened(f"{what}: {message}" if message else what, LONGEST))
