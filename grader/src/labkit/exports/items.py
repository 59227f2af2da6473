"""Convert a final score for other tools: into items for a results.json, or into a few lines for a comment field."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from labkit.desk.final_score import EXCUSED
from labkit.desk.score_store import Row
from labkit.model.text import in_points, printable, shortened


@dataclass(frozen=True)
class Item:
    """One item of a result, such as a check."""

    name: str
    points: float
    most: float
    message: str

    @property
    def passed(self) -> bool:
        return self.points >= self.most


def items_of(row: Row, longest: int = 1000) -> Iterator[Item]:
    """Yield the checks with points, then the graded written answers."""
    for check in row.result.get("checks", ()):
        if check["max_points"]:
            name = f"{check['exercise']}: {check['name'].replace('_', ' ')}"
            yield _item(name, check["points"], check["max_points"], check["message"], longest)
    for exercise, reading in row.readings.items():
        yield _item(f"{exercise}: written answer", reading.points, row.written[exercise], reading.comment, longest)


def _item(name: str, points: float, most: float, message: str, longest: int) -> Item:
    return Item(printable(shortened(name, 200)), points, most, printable(shortened(message, longest)))


def lines_of(row: Row) -> Iterator[str]:
    """Yield the total, then failed checks with the reasons, then notes."""
    total, *rest = summary_of(row)
    yield total
    for check in row.result.get("checks", ()):
        if check["max_points"] and check["outcome"] != "passed":
            out_of = f"{in_points(check['points'])} of {in_points(check['max_points'])}"
            yield _line(f"{check['exercise']}, {out_of}", check["message"])
    yield from rest


def summary_of(row: Row) -> Iterator[str]:
    """Yield the lines that are not checks: total, reason if ungraded, readers' comments, lateness, adjustments."""
    yield EXCUSED if row.final is None else f"{in_points(row.final)} of {in_points(row.max_score)} points"
    if reason := row.result.get("reason"):
        yield _line(row.status, reason)
    for exercise, reading in row.readings.items():
        yield _line(f"{exercise}, {in_points(reading.points)} points", reading.comment)
    if row.to_read:
        yield f"ungraded: {in_points(row.to_read)} points"
    if row.penalty:
        yield _line(f"late, {in_points(-row.penalty)} points", row.why_late)
    for change in row.adjustments:
        yield f"changed by hand: {change}"


def _line(what: str, message: str) -> str:
    return printable(shortened(f"{what}: {message}" if message else what, 1000))
