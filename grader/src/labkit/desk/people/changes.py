"""List the final scores that changed since the last grading, with the size of each change and the reason for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from labkit.desk.people.final_score import FinalScore, final_text
from labkit.student.model.text import in_points, printable, shortened

SMALL = 1e-9  # points; smaller differences are rounding errors


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
