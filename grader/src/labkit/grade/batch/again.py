"""Grade some students of a class again and leave all other rows unchanged.

The other rows come from a record of the last grading in `cache/class.rows`, not from the class's current files.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from labkit.grade.batch.cache import digest_of_file, whole
from labkit.grade.batch.cache_key import lab_digest
from labkit.grade.batch.grade import Results
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.results import Result
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import did_you_mean, printable, some

NAME, RESULTS = "cache/class.rows", "results.json"
NOT_KEPT = ("path", "refusal", "changed", "answers")  # fields of a submission that are not recorded
OWN = tuple(each.name for each in fields(Submission) if each.name not in NOT_KEPT)
NAMED = 5  # most students named in a message
WHOLE = "grade the whole class without --only; stored results that still apply are reused"

Row = tuple[Submission, "str | Result"]  # a submission, with its result or the result's cache key


def keep(project: Project, out: Path, results: Results, same: Mapping[str, object], left_out: str) -> None:
    """Record which row each result in `out` belongs to, and the settings that a regrade of some students must share (`same`).

    Rows that come from the file `left_out` are not recorded, because every grading makes them anew. Errors: OSError.
    """
    rows = [row for row in results.rows if row[0].by != left_out]
    labs = {lab: lab_digest(project, lab) for lab in sorted({each.lab for each, kept in rows if isinstance(kept, str)})}
    kept = {
        "results": digest_of_file(out / RESULTS),
        "same": same,
        "labs": labs,
        "rows": [_as_json(*row) for row in rows],
    }
    with whole(out / NAME) as file:
        json.dump(kept, file)


def seed_and_others(
    project: Project,
    out: Path,
    submissions: Sequence[Submission],
    students: Collection[str],
    same: Mapping[str, object],
) -> tuple[int, list[Row]]:
    """Return the seed recorded in `out`, and the recorded rows of all students except `students`.

    `submissions` has the whole class as it is now; `same` has the current settings, which must match the recorded ones.
    Errors: UserError.
    """
    there = {each.student for each in submissions}
    for student in students:
        if student not in there:
            meant = did_you_mean(student, there)
            raise UserError(f"--only: there is no student {printable(student)!r} in this class{meant}")
    kept, labs, rows = _read(project, out)
    for name, value in kept.items():
        if value != same.get(name) and not (name == "seed" and same[name] is None):
            raise UserError(
                f"{out}: its class was graded with {_option_text(name, value)}; use the same options, or {WHOLE}"
            )
    if any(lab_digest(project, lab) != deciding for lab, deciding in labs.items()):
        raise UserError(f"{out}: the course, labkit or its packages have changed; {WHOLE}")
    rows = [(each, result) for each, result in rows if each.student not in students]
    if missing := {each.student for each, _ in rows if each.file} - there:
        raise UserError(
            f"{out} belongs to another class: {_some_are(missing)} not in this one; use the class that was graded there"
        )
    if lost := {each.student for each, key in rows if isinstance(key, str) and not _is_there(out, key)}:
        raise UserError(f"{out}: its cache has no result for {some(sorted(lost), NAMED)}; {WHOLE}")
    return kept["seed"], rows


def _as_json(submission: Submission, kept: str | Result) -> dict[str, Any]:
    own = {name: getattr(submission, name) for name in OWN}
    return own | ({"key": kept} if isinstance(kept, str) else {"result": kept.stored()})


def _from_json(project: Project, row: Mapping[str, Any]) -> Row:
    submission = Submission(**{name: row[name] for name in OWN} | {"passed_over": tuple(row["passed_over"])})
    return submission, row["key"] if "key" in row else Result.from_stored(project, row["result"], submission)


def _read(project: Project, out: Path) -> tuple[dict[str, Any], dict[str, str], list[Row]]:
    """Read the recorded settings, each lab's digest, and the rows. Errors: UserError."""
    try:
        kept = json.loads((out / NAME).read_text("utf-8"))
        if kept["results"] == digest_of_file(out / RESULTS):
            return kept["same"], kept["labs"], [_from_json(project, row) for row in kept["rows"]]
        problem = "results.json was changed after the last grading"
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        problem = "there are no results to keep"
    raise UserError(f"{out}: {problem}; {WHOLE}")


def _is_there(out: Path, key: str) -> bool:
    return (out / "cache" / f"{key}.json").exists()


def _option_text(name: str, value: object) -> str:
    """Describe a recorded setting as a command-line option."""
    if name == "budgets":
        return "other budgets"
    if value is None or value is False:
        return f"no --{name}"
    return f"--{name}" if value is True else f"--{name} {value}"


def _some_are(students: Collection[str]) -> str:
    return f"{some(sorted(students), NAMED)} {'is' if len(students) == 1 else 'are'}"
