"""The mistakes in a class: who made each one, in which answers, and the message shown."""

from __future__ import annotations

from dataclasses import dataclass, field

from labkit.desk.pages.answers import Answer, Codes
from labkit.grade.judge.results import Result
from labkit.student.judging.finding import Finding
from labkit.student.judging.words import say
from labkit.student.model.text import shortened

MOST_ANSWERS = 25  # maximum number of different answers shown with code, for each mistake


@dataclass
class MistakeTally:
    """One mistake in one exercise, with the message shown to the first student."""

    exercise: str
    lab: str
    mistake: str
    example: str
    count: int = 0
    by_code: dict[int | None, Answer] = field(default_factory=dict)

    @property
    def answers(self) -> list[Answer]:
        """The answers with this mistake: the most frequent first, those shown without their code last."""
        return sorted(self.by_code.values(), key=lambda each: (each.code is None, -len(each.students)))

    @property
    def students(self) -> list[int]:
        """The indices of the students with this mistake, in order."""
        return sorted(number for answer in self.by_code.values() for number in answer.students)

    @property
    def different(self) -> int:
        """The number of different answers with code."""
        return len(self.by_code.keys() - {None})


class Mistakes:
    """Collects mistakes from every result."""

    def __init__(self, codes: Codes):
        self._codes = codes
        self._found: dict[tuple[str, str], MistakeTally] = {}

    def add(self, result: Result, student: int) -> None:
        made: dict[tuple[str, str], Finding] = {}
        for check in result.checks:
            for finding in check.mistakes:
                made.setdefault((check.exercise, finding.mistake), finding)
        for key, finding in made.items():
            self._add(key, finding, result, student)

    def _add(self, key: tuple[str, str], finding: Finding, result: Result, student: int) -> None:
        exercise, mistake = key
        if key not in self._found:
            self._found[key] = MistakeTally(exercise, result.lab, mistake, shortened(say(exercise, finding), 500))
        found = self._found[key]
        found.count += 1
        code = self._codes.number(result.code.get(exercise, ""), add=found.different < MOST_ANSWERS)
        if code not in found.by_code and found.different >= MOST_ANSWERS:
            code = None
        if code not in found.by_code:
            message = "" if code is None else shortened(say(exercise, finding), 500)
            found.by_code[code] = Answer(code, message="" if message == found.example else message)
        found.by_code[code].students.append(student)

    def sorted(self) -> list[MistakeTally]:
        """Sort mistakes by frequency, most frequent first."""
        return sorted(self._found.values(), key=lambda each: (-each.count, each.lab, each.exercise, each.mistake))
