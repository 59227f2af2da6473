"""Convert a final score for other tools: into Gradescope's results.json, or into a few lines for a comment field.

The words are those of the student's page, in the student's language. Each exercise's remarks appear once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from labkit.desk.pages.feedback import Feedback, Part, feedback, phrase
from labkit.desk.people.final_score import FinalScore
from labkit.desk.people.score_store import Run
from labkit.student.model.text import printable, shortened

LONGEST = 1000  # characters of a message or line


def gradescope_result(row: FinalScore, run: Run) -> dict:
    """Build what a Gradescope autograder writes: the final score, which replaces the sum of the tests, and each test's points.

    All tests are visible to the student, because a hidden test would also hide the total.
    """
    lab = feedback(row)
    decided = (_line(lab, part, part.adjusted) for part in lab.parts if part.adjusted)
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
        for number, (name, points, most, message) in enumerate(_tests(row, lab), 1)
    ]
    return {
        "score": row.final,
        "output": "\n".join(_short((lab.score(), *lab.reasons(), *decided))),
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


def _tests(row: FinalScore, lab: Feedback) -> Iterator[tuple[str, float, float, str]]:
    """Yield the checks with points, then the graded written answers. The first check that lost points has the remarks."""
    result, remarks = row.result, {part.exercise: _remarks(lab, part) for part in lab.parts}
    for check in filter(result.max_points, result.checks):
        title = f"{row.feedback['exercises'][check.exercise]['title']}: {check.name.replace('_', ' ')}"
        message = remarks.pop(check.exercise, ()) if check.outcome != "passed" else ()
        yield title, result.points(check), result.max_points(check), " ".join(message)
    for part in lab.parts:
        if part.exercise in row.readings:
            yield part.title, row.readings[part.exercise].points, part.of, part.reader_comment


def lines_of(row: FinalScore) -> Iterator[str]:
    """Yield the score, the reasons for it, and a line for each exercise that lost points or that a person decided."""
    lab = feedback(row)
    unanswered = all(part.state == "missing" for part in lab.parts if part.checks)  # the reason says so
    lost = [part for part in lab.parts if part.is_scored and part.points < part.of and not unanswered]
    parts = [part for part in lab.parts if part in lost or part.adjusted or part.state == "read"]
    lines = (_line(lab, part, (*_remarks(lab, part), *part.adjusted, part.reader_comment)) for part in parts)
    return _short((lab.score(), *lab.reasons(), *lines))


def _remarks(lab: Feedback, part: Part) -> tuple[str, ...]:
    """What the student's page says about an exercise, without what the reason for the status already says."""
    if part.state == "missing":
        return (phrase(part.state, lab.language),)
    return tuple(remark for remark in part.remarks if remark not in lab.why)


def _line(lab: Feedback, part: Part, texts: Iterable[str]) -> str:
    points = phrase("exercise-points", lab.language, points=part.points, of=part.of)
    return ": ".join(filter(None, (f"{part.title}, {points}", " ".join(filter(None, texts)))))


def _short(lines: Iterable[str]) -> Iterator[str]:
    return (printable(shortened(line, LONGEST)) for line in lines)
