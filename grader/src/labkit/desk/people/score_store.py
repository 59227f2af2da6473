"""final_scores.json: the final scores of a results folder, and the run that computed them.

The file stores what the points follow from, and each final score is computed from it again. The next grading compares its final
scores with them, and takes the other students' rows from here if it grades some students only. Exports read this file, so that
exported scores agree with gradebook.csv. It is written last, with the digests of results.json, manual.csv and adjustments.csv;
if one of those three files changes, final_scores.json is out of date.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from labkit.desk.people import adjustments, manual
from labkit.desk.people.final_score import Adjustment, FinalScore, Mark, Person, Seen, final_text
from labkit.grade.batch.store import digest_of_file, whole
from labkit.grade.intake.files import Refusal
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.points import LabPoints
from labkit.grade.judge.results import Check, Result
from labkit.student.model.errors import UserError
from labkit.student.model.text import in_points, printable, shortened

NAME, RESULTS = "final_scores.json", "results.json"
BY_HAND = {"manual": manual.NAME, "adjustments": adjustments.NAME}  # manual files that decide points
NEEDED = {"student", "lab", "checks", "written", "feedback"}  # keys that each row of results.json must have
OF_THE_FILE = ("path", "changed", "answers")  # fields of a submission that are not stored
STORED = tuple(each.name for each in fields(Submission) if each.name not in OF_THE_FILE)
PLAIN = ("days_late", "penalty", "why_late")
SMALL = 1e-9  # points; smaller differences are rounding errors


@dataclass(frozen=True)
class Run:
    """The grading run that computed the final scores."""

    seed: int
    results: str = ""  # the digest of results.json
    manual: str = ""  # the digest of manual.csv; empty if there was none
    adjustments: str = ""  # the digest of adjustments.csv
    same: Mapping[str, Any] = field(default_factory=dict)  # settings that a regrade of some students must share
    labs: Mapping[str, str] = field(default_factory=dict)  # a digest of each graded lab
    shard: Mapping[str, Any] | None = None  # if the folder has a completely graded shard

    def __str__(self) -> str:
        return f"seed {self.seed}, results {self.results[:12]}"


@dataclass(frozen=True)
class Kept:
    """A run with its final scores, and the key of each submission's facts by student and lab."""

    run: Run
    final_scores: list[FinalScore]
    keys: Mapping[tuple[str, str], str]


def write(out: Path, run: Run, final_scores: Iterable[FinalScore], keys: Mapping[tuple[str, str], str]) -> None:
    """Write the final scores to the results folder. Errors: OSError."""
    points: dict[str, LabPoints] = {}
    rows = []
    for each in final_scores:
        points[each.lab] = each.result.lab_points
        rows.append({**_as_json(each), "key": keys.get((each.student, each.lab), "")})
    run = replace(run, results=digest_of_file(out / RESULTS))
    with whole(out / NAME) as file:
        labs = {lab: asdict(each) for lab, each in points.items()}
        json.dump({"run": asdict(run), "points": labs, "final_scores": rows}, file, ensure_ascii=False, default=float)


def _as_json(final_score: FinalScore) -> dict[str, Any]:
    result = final_score.result
    submission = {name: getattr(result.submission, name) for name in STORED}
    return {
        "submission": {**submission, "refusal": result.submission.refusal and asdict(result.submission.refusal)},
        "status": result.status,
        "checks": [[each.exercise, each.name, each.outcome] for each in result.checks],
        "person": final_score.person and asdict(final_score.person),
        "readings": {exercise: asdict(each) for exercise, each in final_score.readings.items()},
        "given": [asdict(each) for each in final_score.given],
        "seen": asdict(final_score.seen),
        **{name: getattr(final_score, name) for name in PLAIN},
    }


def _from_json(stored: Mapping[str, Any], points: Mapping[str, LabPoints]) -> FinalScore:
    own = stored["submission"]
    refusal = own["refusal"] and Refusal(**own["refusal"])
    lists = {name: tuple(own[name]) for name in ("passed_over", "readings")}
    submission = Submission(**{**own, **lists, "refusal": refusal})
    checks = tuple(Check(*each) for each in stored["checks"])
    return FinalScore(
        Result(submission, stored["status"], checks=checks, lab_points=points[submission.lab]),
        stored["person"] and Person(**stored["person"]),
        {exercise: Mark(**each) for exercise, each in stored["readings"].items()},
        given=tuple(Adjustment(**each) for each in stored["given"]),
        seen=Seen(**stored["seen"]),
        **{name: stored[name] for name in PLAIN},
    )


def earlier(out: Path) -> Kept | None:
    """Read what the last run stored, even if out of date. Returns None if it cannot be read."""
    try:
        stored = json.loads((out / NAME).read_text("utf-8"))
        points = {
            lab: LabPoints(
                {name: tuple(each) for name, each in own["by_check"].items()}, tuple(map(tuple, own["written"]))
            )
            for lab, own in stored["points"].items()
        }
        final_scores = [_from_json(each, points) for each in stored["final_scores"]]
        keys = {(each.student, each.lab): row["key"] for each, row in zip(final_scores, stored["final_scores"])}
        return Kept(Run(**stored["run"]), final_scores, keys)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def kept(out: Path) -> Kept:
    """Read what the last run stored, even if out of date. Errors: UserError if it cannot be read."""
    if (found := earlier(out)) is None:
        raise UserError(f"{out}: no readable {NAME}; write it with `labkit grade … --out {out}`")
    return found


def read(out: Path) -> tuple[Run, list[FinalScore]]:
    """Read the run and its final scores, each with the words for an LMS from results.json.

    Errors: UserError, for example if final_scores.json is out of date.
    """
    last = kept(out)
    again = f"run the same `labkit grade … --out {out}` again; unchanged submissions are not run"
    if last.run.results != digest_of_file(out / RESULTS):
        raise UserError(f"{out}: {NAME} belongs to other results; {again}")
    for file, now in digests(out).items():
        if getattr(last.run, file) != now:
            raise UserError(f"{out}: {BY_HAND[file]} has changed since the gradebook was written; {again}")
    feedback = {(row["student"], row["lab"]): row["feedback"] for row in results_in(out)}
    return last.run, [replace(each, feedback=feedback[each.student, each.lab]) for each in last.final_scores]


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


@dataclass(frozen=True)
class Change:
    """A changed final score. `before` is None for a new row, and `now` is None for a removed one."""

    before: FinalScore | None
    now: FinalScore | None

    def line(self) -> str:
        """Format the change for a terminal: "ada  02_levels  3 → 4 (+1): levels 1 → 2"."""
        row = self.now or self.before
        row_name = f"{printable(row.student)}  {printable(row.lab or '–')}"
        if self.before is None:
            return f"{row_name}  new: {final_text(row.final)}"
        if self.now is None:
            return f"{row_name}  {final_text(row.final)} → no longer there"
        moved = "" if None in self._finals() else f" ({self.now.final - self.before.final:+g})"
        return f"{row_name}  {final_text(self.before.final)} → {final_text(self.now.final)}{moved}: {'; '.join(self.why())}"

    def moved(self) -> bool:
        """Whether the final score changed."""
        one, other = self._finals()
        return one != other if None in (one, other) else abs(one - other) > SMALL

    def _finals(self) -> tuple[float | None, float | None]:
        return self.before.final, self.now.final

    def why(self) -> Iterator[str]:
        """Describe each part of the score that changed."""
        before, now = self.before, self.now
        if before.result.status != now.result.status:
            yield f"{before.result.status} → {now.result.status}"
        for exercise, one, other in _differing(before.from_checks, now.from_checks):
            yield f"{exercise} {in_points(one)} → {in_points(other)}"
        read = [{name: each.points for name, each in row.readings.items()} for row in (before, now)]
        for exercise, one, other in _differing(*read):
            yield f"{exercise}, by a reader, {_given(exercise, read[0], one)} → {_given(exercise, read[1], other)}"
        yield from _by_hand(before, now)
        if abs(before.penalty - now.penalty) > SMALL:
            late = f" ({printable(shortened(now.why_late or 'on time'))})"
            yield f"penalty {in_points(before.penalty)} → {in_points(now.penalty)}{late}"


def _by_hand(before: FinalScore, now: FinalScore) -> Iterator[str]:
    """Describe adjustments that were removed or added. An adjustment with the same effect as before is left out."""
    for row, others, what in ((before, now, "no longer by hand"), (now, before, "by hand")):
        for each in row.adjustments:
            if not any(each.does_the_same_as(other) for other in others.adjustments):
                yield f"{what}: {each}"


def _given(exercise: str, read: Mapping[str, float], points: float) -> str:
    return in_points(points) if exercise in read else "not read"


def _differing(one: Mapping[str, float], other: Mapping[str, float]) -> Iterator[tuple[str, float, float]]:
    for name in dict.fromkeys((*one, *other)):
        pair = one.get(name, 0), other.get(name, 0)
        if abs(pair[0] - pair[1]) > SMALL:
            yield printable(name), *pair


def changes(before: Iterable[FinalScore], now: Iterable[FinalScore]) -> list[Change]:
    """List changed, new and removed final scores, by student and lab."""
    once, today = ({(row.student, row.lab): row for row in rows} for rows in (before, now))
    found = [Change(once.get(key), today.get(key)) for key in sorted(once.keys() | today.keys())]
    return [each for each in found if each.before is None or each.now is None or each.moved()]
