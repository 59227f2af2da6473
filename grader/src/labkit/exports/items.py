"""What graders with a results.json of their own list: our checks, and the written answers that a person read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from labkit.desk.score_store import Row
from labkit.model.text import printable, shortened


@dataclass(frozen=True)
class Item:
    """One line of a result."""

    name: str
    points: float
    most: float
    said: str

    @property
    def passed(self) -> bool:
        return self.points >= self.most


def items_of(row: Row, longest: int = 1000) -> Iterator[Item]:
    """The checks that are worth points, then what readers gave; what still waits for one is no item yet."""
    for check in row.result.get("checks", ()):
        if check["max_points"]:
            name = f"{check['exercise']}: {check['name'].replace('_', ' ')}"
            yield _item(name, check["points"], check["max_points"], check["message"], longest)
    for exercise, reading in row.readings.items():
        yield _item(f"{exercise}: read", reading.points, row.written[exercise], reading.comment, longest)


def _item(name: str, points: float, most: float, said: str, longest: int) -> Item:
    return Item(printable(shortened(name, 200)), points, most, printable(shortened(said, longest)))
