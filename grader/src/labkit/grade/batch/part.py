"""Grade part of a class: a shard, or some students again.

Shards are for separate machines, as in a job array. They are disjoint and cover the class; identical files are in the same shard.
If some students are graded again, the other rows come from the last grading's record of them, not from the class's current files.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labkit.grade.batch import Settings
from labkit.grade.batch.grade import Row
from labkit.grade.batch.store import FactStore, lab_digest, lab_digests
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.results import NOT_JUDGED, Result, unjudged
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import did_you_mean, printable, some

SAME = {  # what all shards of a class must share, as named in messages
    "of": "number of shards",
    "seed": "--seed",
    "budgets": "set of budgets",
    "labs": "course, labkit or set of packages",
    "rows": "class",
}
NAMED = 5  # most students named in a message
WHOLE = "grade the whole class without --only; stored results that still apply are reused"


@dataclass(frozen=True)
class Shard:
    """Shard `number` out of `of`, counted from 1."""

    number: int
    of: int

    @classmethod
    def read(cls, text: str) -> Shard:
        """Parse text such as 3/16. Errors: UserError."""
        if not re.fullmatch(r"\d{1,6}/\d{1,6}", text, re.ASCII):
            raise UserError(f"{text!r} is not a shard; write the third of sixteen as 3/16")
        shard = cls(*map(int, text.split("/")))
        if not 1 <= shard.number <= shard.of:
            raise UserError(f"{text}: the shards are numbered from 1 to {shard.of}")
        return shard

    def has(self, submission: Submission) -> bool:
        """Whether a submission is in this shard. Depends only on its bytes, or on its student and lab if it is unreadable."""
        content = submission.digest or f"{submission.student}\0{submission.lab}"
        return int(hashlib.sha256(content.encode("utf-8", "replace")).hexdigest(), 16) % self.of == self.number - 1


def facts_of(project: Project, submissions: Iterable[Submission], settings: Settings) -> dict[str, Any]:
    """Collect what all shards of a class share: the class's contents, and the settings that grade it."""
    submissions, rows = [*submissions], hashlib.sha256()
    for each in submissions:
        rows.update(f"{each.student}\0{each.lab}\0{each.digest}\0".encode("utf-8", "replace"))
    labs = lab_digests(project, submissions)
    return {"seed": settings.seed, "budgets": str(settings.budgets), "labs": labs, "rows": rows.hexdigest()}


def record(shard: Shard, facts: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """What is recorded about a completely graded shard, with the `given` options."""
    return {"shard": shard.number, "of": shard.of, **facts, "given": given}


def together(shards: Mapping[Path, Mapping[str, Any] | None]) -> Mapping[str, Any]:
    """Check that these folders' shards form a whole class, and return what they share. Errors: UserError."""
    facts: Mapping[str, Any] = {}
    for folder, own in shards.items():
        if not own:
            raise UserError(f"{folder}: not a completely graded shard; grade it again with --shard")
        facts = facts or own
        if other := difference(facts, own):
            raise UserError(f"{folder} has a different {other} than {next(iter(shards))}")
    numbers = [own["shard"] for own in shards.values() if own]
    for number in range(1, facts["of"] + 1):
        if numbers.count(number) != 1:
            problem = "is missing" if number not in numbers else "occurs twice"
            raise UserError(f"shard {number}/{facts['of']} {problem}")
    return facts


def difference(facts: Mapping[str, Any], others: Mapping[str, Any]) -> str | None:
    """Describe how two runs differ. Returns None if they belong together."""
    return next((what for name, what in SAME.items() if name in facts and facts[name] != others[name]), None)


def without_grading(
    project: Project, queue: Mapping[str, Submission], settings: Settings
) -> Iterator[tuple[str, Result]]:
    """An executor that runs nothing. Submissions without a result in the shards get the status not_judged."""
    for key, each in queue.items():
        why = "its shard has no result for it: grade that shard again"
        yield key, unjudged(project, each, NOT_JUDGED, why, settings.seed)


@dataclass(frozen=True)
class Last:
    """What the last grading recorded: its rows, the settings that must be the same, and a digest of each graded lab."""

    rows: Sequence[Row]
    same: Mapping[str, Any]
    labs: Mapping[str, str]


def others(
    project: Project,
    out: Path,
    last: Last,
    submissions: Sequence[Submission],
    students: Collection[str],
    same: Mapping[str, Any],
) -> list[Row]:
    """Return the recorded rows of all students except `students`.

    `submissions` has the whole class as it is now; `same` has the current settings. Errors: UserError.
    """
    there = {each.student for each in submissions}
    for student in students:
        if student not in there:
            meant = did_you_mean(student, there)
            raise UserError(f"--only: there is no student {printable(student)!r} in this class{meant}")
    for name, value in last.same.items():
        if value != same.get(name) and not (name == "seed" and same[name] is None):
            raise UserError(
                f"{out}: its class was graded with {_option_text(name, value)}; use the same options, or {WHOLE}"
            )
    if any(lab_digest(project, lab) != deciding for lab, deciding in last.labs.items()):
        raise UserError(f"{out}: the course, labkit or its packages have changed; {WHOLE}")
    rows = [(each, key) for each, key in last.rows if each.student not in students]
    if missing := {each.student for each, _ in rows if each.file} - there:
        missing_are = f"{some(sorted(missing), NAMED)} {'is' if len(missing) == 1 else 'are'}"
        raise UserError(
            f"{out} belongs to another class: {missing_are} not in this one; use the class that was graded there"
        )
    store = FactStore(project, out)
    if lost := {each.student for each, key in rows if key and key not in store}:
        raise UserError(f"{out}: its cache has no result for {some(sorted(lost), NAMED)}; {WHOLE}")
    return rows


def _option_text(name: str, value: object) -> str:
    """Describe a recorded setting as a command-line option."""
    if name == "budgets":
        return "other budgets"
    if value is None or value is False:
        return f"no --{name}"
    return f"--{name}" if value is True else f"--{name} {value}"
