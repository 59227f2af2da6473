"""A result in a few lines of plain text, for the comment field of another tool."""

from __future__ import annotations

from collections.abc import Iterator

from labkit.desk.kept import Row
from labkit.text import printable

LONGEST = 1000  # characters of a line


def lines_of(row: Row) -> Iterator[str]:
    """What did not pass and why, what a reader said, and what lateness cost; the first line names what it comes to."""
    yield f"{row.final:g} of {row.max_score:g} points"
    if reason := row.result.get("reason"):
        yield _line(f"{row.status}: {reason}")
    for check in row.result.get("checks", ()):
        if check["max_points"] and check["outcome"] != "passed":
            yield _line(f"{check['exercise']}, {check['points']:g} of {check['max_points']:g}: {check['message']}")
    for exercise, reading in row.readings.items():
        yield _line(f"{exercise}, {reading.points:g} points: {reading.comment}".removesuffix(": "))
    if row.to_read:
        yield f"not yet read: {row.to_read:g} points"
    if row.penalty:
        yield _line(f"late, {-row.penalty:g} points: {row.why_late}".removesuffix(": "))


def _line(text: str) -> str:
    return printable(" ".join(text.split()))[:LONGEST]
