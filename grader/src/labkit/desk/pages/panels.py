"""The rows of the class report that open to students' code: mistakes, and submissions to review. Each distinct code is there once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from labkit.desk.pages.render import runs
from labkit.desk.people.final_score import FinalScore
from labkit.grade.judge.results import NOT_HANDED_IN, Result
from labkit.student.judging.finding import Finding
from labkit.student.judging.words import say, shipped
from labkit.student.model.text import shortened

MOST_ANSWERS = 25  # maximum number of different answers shown with code, for each mistake
MOST_ODD = 1_000  # submissions listed with a reason; the rest are only counted


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


@dataclass
class MistakeTally:
    """One mistake in one exercise, with the message shown to the first student."""

    exercise: str
    lab: str
    mistake: str
    example: str
    shipped: str  # a sentence about a program that shipped with it, if one is known
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
            example = shortened(say(exercise, finding), 500)
            self._found[key] = MistakeTally(exercise, result.lab, mistake, example, shipped(exercise, finding))
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


@dataclass
class Odd:
    """A submission to look at, and the reason."""

    student: int  # the student's index
    lab: str
    what: str
    why: str
    answers: list[Answer]


def reasons(final_score: FinalScore) -> Iterator[tuple[str, str]]:
    """Yield the reasons to look at a submission, each as a kind and a detail."""
    result = final_score.result
    if result.status not in ("graded", NOT_HANDED_IN):
        yield result.status.replace("_", " "), result.why() or "no reason is known"
    elif result.status == "graded" and (why := result.why()):
        yield "note" if final_score.score else "no points", why
    if files := result.submission.passed_over:
        others = shortened("; ".join(files), 300)
        yield "files passed over", f"{result.submission.file} was graded instead of {others}"
    for made in final_score.outdated:
        yield "made for an earlier attempt", f"{made}. Delete the row, or confirm it."
    for change in final_score.adjustments:
        yield "changed by hand", str(change)
    if final_score.penalty:
        yield "late", final_score.why_late or f"{final_score.days_late:g} days"


def answers_of(result: Result, codes: Codes) -> Iterator[Answer]:
    """Yield a result's code answers, each with the first message shown to the student."""
    for exercise, code in result.code.items():
        messages = filter(None, (check.message() for check in result.of_exercise(exercise)))
        yield Answer(codes.number(code), [], exercise, shortened(next(messages, ""), 500))
