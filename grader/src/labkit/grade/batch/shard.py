"""Split a class into shards that separate machines can grade, as in a job array, and join their results.

The shards are disjoint and cover the class. Identical files are in the same shard.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labkit.grade.batch.cache_key import lab_digest
from labkit.grade.batch.settings import Settings
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.results import NOT_JUDGED, Result, unjudged
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project

SAME = {  # what all shards of a class must share, as named in messages
    "of": "number of shards",
    "seed": "--seed",
    "budgets": "set of budgets",
    "labs": "course, labkit or set of packages",
    "rows": "class",
}


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
    rows, labs = hashlib.sha256(), set()
    for each in submissions:
        rows.update(f"{each.student}\0{each.lab}\0{each.digest}\0".encode("utf-8", "replace"))
        labs |= set() if each.refusal else {each.lab}
    digests = {lab: lab_digest(project, lab) for lab in sorted(labs)}
    return {"seed": settings.seed, "budgets": str(settings.budgets), "labs": digests, "rows": rows.hexdigest()}


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
