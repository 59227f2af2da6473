"""final_scores.json: the final scores in gradebook.csv, and the run that computed them.

The next grading compares its final scores with this file. Exports read this file, so that exported scores agree with
gradebook.csv. It is written last, with the digests of results.json, manual.csv and adjustments.csv; if one of those three files
changes, final_scores.json is out of date.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from labkit.desk.people import adjustments, manual
from labkit.desk.people.final_score import Adjusted, FinalScore, Person, Reading, Seen, outdated
from labkit.grade.batch.cache import digest_of_file, whole
from labkit.grade.judge.results import NOT_HANDED_IN, NOT_JUDGED
from labkit.student.model.errors import UserError

NAME, RESULTS = "final_scores.json", "results.json"
BY_HAND = {"manual": manual.NAME, "adjustments": adjustments.NAME}  # manual files that decide points
NEEDED = {"student", "lab", "checks", "written"}  # keys that each row of results.json must have


@dataclass(frozen=True)
class Row:
    """A final score as plain data."""

    student: str
    lab: str
    status: str
    points: Mapping[str, float]  # from checks, by exercise
    written: Mapping[str, float]  # the maximum points from a reader, by exercise
    readings: Mapping[str, Reading]
    score: float
    max_score: float
    to_read: float
    days_late: float
    penalty: float
    why_late: str
    final: float | None  # None if the student is excused
    person: Person | None = None
    adjustments: tuple[Adjusted, ...] = ()  # to exercises, then to the final score
    seen: Seen = field(default_factory=Seen)  # what the manual decisions were made for
    result: Mapping[str, object] = field(default_factory=dict, compare=False)  # the submission's row in results.json

    @classmethod
    def of(cls, final_score: FinalScore) -> Row:
        result = final_score.result
        points: dict[str, float] = {}
        for check in result.checks:
            points[check.exercise] = points.get(check.exercise, 0) + result.points(check)
        own = {name: getattr(result, name) for name in ("student", "lab", "status")}
        rest = (
            "score",
            "max_score",
            "to_read",
            "days_late",
            "penalty",
            "why_late",
            "final",
            "person",
            "adjustments",
            "seen",
        )
        read = {"written": dict(result.written_points()), "readings": dict(final_score.readings)}
        return cls(**own, points=points, **read, **{name: getattr(final_score, name) for name in rest})

    @classmethod
    def from_json(cls, stored: Mapping) -> Row:
        readings = {exercise: Reading(**reading) for exercise, reading in stored["readings"].items()}
        person = Person(**stored["person"]) if stored["person"] else None
        by_hand = tuple(Adjusted(**each) for each in stored["adjustments"])
        seen = Seen(**stored["seen"])
        found = {"readings": readings, "person": person, "adjustments": by_hand, "seen": seen}
        return cls(**{**stored, **found})

    @property
    def adjusted(self) -> float:
        """The sum of all adjustments."""
        return sum(each.moved for each in self.adjustments)

    @property
    def outdated(self) -> tuple[str, ...]:
        """The manual decisions that were made for an earlier attempt."""
        return tuple(outdated(self.readings, self.adjustments))

    @property
    def is_scored(self) -> bool:
        """Whether the row has points. A missing submission gets points only from adjustments."""
        return self.status != NOT_JUDGED and (self.status != NOT_HANDED_IN or bool(self.adjustments))

    def as_json(self) -> dict:
        return {name: value for name, value in asdict(self).items() if name != "result"}


@dataclass(frozen=True)
class Run:
    """The grading run that computed the final scores."""

    seed: int
    results: str  # the digest of results.json
    manual: str  # the digest of manual.csv; empty if there was none
    adjustments: str = ""  # the digest of adjustments.csv

    def __str__(self) -> str:
        return f"seed {self.seed}, results {self.results[:12]}"


def write(rows: Iterable[Row], seed: int, by_hand: Mapping[str, str], out: Path) -> Path:
    """Write the final scores to the results folder. `by_hand` has the digests of manual.csv and adjustments.csv.

    Errors: OSError.
    """
    run = Run(seed, digest_of_file(out / RESULTS), **by_hand)
    with whole(out / NAME) as file:
        stored = {"run": asdict(run), "final_scores": [row.as_json() for row in rows]}
        json.dump(stored, file, ensure_ascii=False, indent=1, default=float)
    return out / NAME


def earlier(out: Path) -> list[Row] | None:
    """Read the stored final scores, even if out of date. Returns None if they cannot be read."""
    kept = _kept(out)
    return kept and kept[1]


def _kept(out: Path) -> tuple[Run, list[Row]] | None:
    try:
        stored = json.loads((out / NAME).read_text("utf-8"))
        return Run(**stored["run"]), [*map(Row.from_json, stored["final_scores"])]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def read(out: Path) -> tuple[Run, list[Row]]:
    """Read the run and its final scores, each with its row of results.json.

    Errors: UserError, for example if final_scores.json is out of date.
    """
    if (kept := _kept(out)) is None:
        raise UserError(f"{out}: no readable {NAME}; write it with `labkit grade … --out {out}`")
    run, rows = kept
    again = f"run the same `labkit grade … --out {out}` again; unchanged submissions are not run"
    if run.results != digest_of_file(out / RESULTS):
        raise UserError(f"{out}: {NAME} belongs to other results; {again}")
    for file, now in digests(out).items():
        if getattr(run, file) != now:
            raise UserError(f"{out}: {BY_HAND[file]} has changed since the gradebook was written; {again}")
    results = {(row["student"], row["lab"]): row for row in results_in(out)}
    if any("feedback" not in row for row in results.values()):
        raise UserError(
            f"{out}: {RESULTS} is from an earlier version of labkit, without the comments for an LMS; {again}"
        )
    return run, [replace(row, result=results.get((row.student, row.lab), {})) for row in rows]


def results_in(out: Path) -> list[dict]:
    """Read the rows of results.json. Errors: UserError."""
    try:
        rows = json.loads((out / RESULTS).read_text("utf-8"))
        if isinstance(rows, list) and all(isinstance(row, dict) and NEEDED <= row.keys() for row in rows):
            return rows
        raise ValueError("its rows are from another version of labkit; grade again")
    except OSError as error:
        problem = f"{out / RESULTS}: cannot be read ({error.strerror}); write it with `labkit grade … --out {out}`"
        raise UserError(problem) from None
    except ValueError as error:
        raise UserError(f"{out / RESULTS}: not a results file ({error})") from None


def digests(out: Path) -> dict[str, str]:
    """The digests of manual.csv and adjustments.csv in `out`."""
    return {file: digest_of_file(out / name) for file, name in BY_HAND.items()}
