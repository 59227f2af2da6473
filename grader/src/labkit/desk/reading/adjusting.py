"""Write the row of adjustments.csv that gives an exercise or a lab other points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from labkit.desk.people import adjustments, manual
from labkit.desk.people.adjustments import Rows
from labkit.desk.people.final_score import FinalScore
from labkit.desk.people.manual import Key
from labkit.student.model.project import Project
from labkit.student.model.text import in_points

SMALL = 1e-9  # points; smaller differences are rounding errors


class Adjusting:
    """The final scores of the last grading, with the current manual.csv and adjustments.csv."""

    def __init__(
        self,
        project: Project,
        out: Path,
        final_scores: Iterable[FinalScore],
        results: Mapping[tuple[str, str], Mapping[str, Any]],
    ):
        self.project, self.path, self._manual = project, out / adjustments.NAME, out / manual.NAME
        self._finals = {(each.student, each.lab): each for each in final_scores}
        self._results = results

    def rows(self) -> Rows:
        """Read the rows of adjustments.csv. Errors: UserError."""
        return adjustments.rows_in(self.path)

    def most(self, key: Key) -> float:
        """The maximum points for the exercise, or for the whole lab."""
        lab = self.project.course.labs[key[1]]
        return adjustments.most(self.project, lab, manual.exercise_named("", lab, key[2]) if key[2] else None)

    def points(self, key: Key, rows: Rows) -> float:
        """The points for an exercise or a lab after the adjustments in these rows."""
        written = self._results[key[:2]]["written"]
        last = self._finals[key[:2]]
        graded = replace(last, result=replace(last.result, written=written), readings={}, given=())
        read = manual.with_readings([graded], manual.read(self.project.course, self._manual))
        lines = adjustments.lines_of(self.project, [each for each in rows if key_of(each[1])[:2] == key[:2]])
        (now,) = adjustments.with_adjustments(self.project.course, read, lines)
        return now.points(key[2]) if key[2] else now.final or 0.0

    def changed(self, key: Key, rows: Rows, after: float, reason: str) -> Rows:
        """Return the rows with a new one that changes the points to `after`. It replaces any row that already sets these points."""
        row = dict(zip(adjustments.COLUMNS, (*key, "", "", reason)))
        if abs(after - self.points(key, rows)) < SMALL:
            row["add"] = "0"  # the points stay the same; the row only gives a reason
        else:  # `set` applies before the other rows' `add`
            rows = [each for each in rows if key_of(each[1]) != key or not each[1]["set"].strip()]
            own = adjustments.lines_of(self.project, [each for each in rows if key_of(each[1]) == key])
            row["set"] = in_points(after - sum(line.adjustment.add for line in own))
        if code := self._confirmed(key, reason):
            row[adjustments.ANSWER] = code
        rows = [each for each in rows if not _same(each[1], row)]
        return [*rows, ("this answer", row)]

    def _confirmed(self, key: Key, reason: str) -> str:
        """The code that confirms a decision, if the last grading found that it was made for an earlier attempt."""
        steps = self._finals[key[:2]].adjusted(key[2])
        return next((each.confirm for each in steps if each.reason == reason and each.confirm), "")

    def write(self, rows: Rows) -> None:
        """Write the rows. Errors: UserError for contradicting rows, OSError."""
        adjustments.lines_of(self.project, rows)
        adjustments.write(self.path, [row for _, row in rows])


def key_of(row: Mapping[str, str]) -> Key:
    return row["student"], row["lab"].strip(), row["exercise"].strip()


def _same(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    return all(one.get(name, "").strip() == other[name].strip() for name in adjustments.COLUMNS)
