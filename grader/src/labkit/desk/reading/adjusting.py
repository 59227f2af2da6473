"""Compute the current points for an exercise, and write the row of adjustments.csv that changes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from labkit.desk.people import adjustments, manual, score_store
from labkit.desk.people.adjustments import Rows
from labkit.desk.people.final_score import Adjustment
from labkit.desk.people.readers import Key
from labkit.student.model.project import Project
from labkit.student.model.text import in_points

SMALL = 1e-9  # points; smaller differences are rounding errors


class Adjusting:
    """The points from the last grading, updated from the current manual.csv and adjustments.csv."""

    def __init__(self, project: Project, out: Path, results: Mapping[tuple[str, str], Mapping[str, Any]]):
        self.project, self.results = project, results
        self.path, self._manual = out / adjustments.NAME, out / manual.NAME
        self._finals = {(row.student, row.lab): row for row in score_store.earlier(out) or ()}

    def rows(self) -> Rows:
        """Read the rows of adjustments.csv. Errors: UserError."""
        return adjustments.rows_in(self.path)

    def most(self, key: Key) -> float:
        """The maximum points for the exercise, or for the whole lab."""
        lab = self.project.course.labs[key[1]]
        return adjustments.most(self.project, lab, manual.exercise_named("", lab, key[2]) if key[2] else None)

    def points(self, key: Key, rows: Rows) -> float:
        """Compute the points for an exercise or a lab after the adjustments in these rows."""
        points = self._checked(key) + self._read(key) if key[2] else self._of_lab(key)
        for each in sorted(self._own(key, rows), key=lambda each: not each.settles):
            points = each.of(points) or 0.0
        return points

    def changed(self, key: Key, rows: Rows, after: float, reason: str) -> Rows:
        """Return the rows with a new one that changes the points to `after`. It replaces any row that already sets these points."""
        row = dict(zip(adjustments.COLUMNS, (*key, "", "", reason)))
        if abs(after - self.points(key, rows)) < SMALL:
            row["add"] = "0"  # the points stay the same; the row only gives a reason
        else:  # `set` applies before the other rows' `add`
            rows = [each for each in rows if key_of(each[1]) != key or not each[1]["set"].strip()]
            row["set"] = in_points(after - sum(each.add for each in self._own(key, rows)))
        if code := self._confirmed(key, reason):
            row[adjustments.ANSWER] = code
        rows = [each for each in rows if not _same(each[1], row)]
        return [*rows, ("this answer", row)]

    def _confirmed(self, key: Key, reason: str) -> str:
        """The code that confirms a decision, if the last grading found that it was made for an earlier attempt."""
        steps = final.adjustments if (final := self._finals.get(key[:2])) else ()
        found = (each.confirm for each in steps if (each.exercise, each.reason) == (key[2], reason) and each.confirm)
        return next(found, "")

    def write(self, rows: Rows) -> None:
        """Write the rows. Errors: UserError for contradicting rows, OSError."""
        adjustments.lines_of(self.project, rows)
        adjustments.write(self.path, [row for _, row in rows])

    def _own(self, key: Key, rows: Rows) -> Iterable[Adjustment]:
        lines = adjustments.lines_of(self.project, [each for each in rows if key_of(each[1]) == key])
        return [line.adjustment for line in lines]

    def _checked(self, key: Key) -> float:
        final = self._finals.get(key[:2])
        return final.points.get(key[2], 0.0) if final else 0.0

    def _read(self, key: Key) -> float:
        mark = manual.read(self.project.course, self._manual).get(key)
        text = self.results[key[:2]]["written"].get(key[2], "")
        return mark.points if mark and mark.counts_for(text) else 0.0

    def _of_lab(self, key: Key) -> float:
        """The final score before adjustments to the whole lab."""
        if not (final := self._finals.get(key[:2])):
            return 0.0
        steps = [each.before for each in final.adjustments if not each.exercise]
        return steps[0] if steps else final.final or 0.0


def key_of(row: Mapping[str, str]) -> Key:
    return row["student"], row["lab"].strip(), row["exercise"].strip()


def _same(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    return all(one.get(name, "").strip() == other[name].strip() for name in adjustments.COLUMNS)
