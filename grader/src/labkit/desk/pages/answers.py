"""Answers for the class report: each distinct piece of code once, with the students who wrote it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field

from labkit.desk.pages.highlight import runs


@dataclass
class Answer:
    """One answer: the index of its code (None if it has no code), and the indices of its students."""

    code: int | None
    students: list[int] = field(default_factory=list)
    exercise: str = ""  # set only in a list with answers to several exercises
    message: str = ""  # shown to the first of these students


@dataclass
class Codes:
    """The distinct pieces of code on a page, numbered in order of appearance."""

    _numbers: dict[str, int] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)  # each a JSON list of strings and [class, string] pairs

    def number(self, code: str, add: bool = True) -> int | None:
        """Return this code's index in `lines`, or None if it is empty. New code gets an index only with `add`."""
        if not (pieces := runs(code)):
            return None
        same = "".join(text for _, text in pieces)
        if same not in self._numbers and add:
            self._numbers[same] = len(self.lines)
            self.lines.append(as_data([[kind, text] if kind else text for kind, text in pieces]))
        return self._numbers.get(same)


def grouped(answers: Iterable[tuple[int | None, int]], exercise: str = "") -> list[Answer]:
    """Group answers to one exercise by code, most students first. `answers` are pairs of code index and student index."""
    found: dict[int | None, Answer] = {}
    for code, student in answers:
        found.setdefault(code, Answer(code, exercise=exercise)).students.append(student)
    return sorted(found.values(), key=lambda answer: -len(answer.students))


def as_data(value: object) -> str:
    """Write a value as one line of ASCII JSON that is safe inside an HTML <script>."""
    text = json.dumps(value, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
