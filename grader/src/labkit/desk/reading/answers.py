"""The distinct answers to written exercises. Each is listed once, with the students who gave it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from labkit.desk.people.readers import Key, Mark, digest_of
from labkit.student.model.course import Course


@dataclass(frozen=True)
class Answer:
    """One answer to an exercise. Neither its id nor its position reveals the student."""

    lab: str
    exercise: str
    id: str
    text: str
    students: tuple[str, ...]

    def keys(self) -> list[Key]:
        return [(student, self.lab, self.exercise) for student in self.students]

    def given(self, manual: Mapping[Key, Mark]) -> Mark | None:
        """The mark for the answer. Returns None while any student who gave it is ungraded."""
        found = [manual.get(key) for key in self.keys()]
        return found[0] if all(each and each.counts_for(self.text) for each in found) else None

    def by_readers(self, given: Mapping[Key, Mapping[str, Mark]]) -> dict[str, Mark]:
        """Each reader's mark for this text, by the reader's name."""
        found: dict[str, Mark] = {}
        for key in self.keys():
            found |= {reader: each for reader, each in given.get(key, {}).items() if each.counts_for(self.text)}
        return found


def answers_in(course: Course, rows: Iterable[Mapping[str, Any]]) -> list[Answer]:
    """Find the answers in results.json that need manual grading, sorted by lab and exercise in course order, then by id."""
    found: dict[tuple[str, str, str], list[tuple[str, str]]] = {}
    for row in rows:
        for exercise in {check["exercise"] for check in row["checks"] if check["outcome"] == "manual"}:
            text = row["written"].get(exercise, "")
            found.setdefault((row["lab"], exercise, digest_of(text)), []).append((row["student"], text))
    place = {name: number for number, name in enumerate(course.exercises)}
    whole = [(*key, several) for key, several in found.items() if key[1] in place]
    whole.sort(key=lambda each: (place[each[1]], each[2]))
    return [
        Answer(lab, exercise, id, several[0][1], tuple(student for student, _ in several))
        for lab, exercise, id, several in whole
    ]
