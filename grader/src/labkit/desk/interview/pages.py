"""Write a page with questions for each student, the key for the assistant, and a table for the points."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from labkit.desk.interview.questions import Question, Questions, choose
from labkit.desk.pages.feedback import phrase
from labkit.desk.pages.render import page
from labkit.desk.pages.students import SPOKEN, file_of
from labkit.desk.people import adjustments
from labkit.desk.people.final_score import FinalScore
from labkit.desk.people.score_store import kept
from labkit.grade.batch.store import FactStore
from labkit.grade.judge.results import Result
from labkit.grade.judge.trials import Trial, Tries
from labkit.student.judging.words import load, title
from labkit.student.model.budgets import Budgets
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import did_you_mean, printable

QUESTIONS = 3  # on each page
KEY, POINTS = "_key", adjustments.NAME  # no student's page begins with _
REASON = "Interview about your code"  # in the table of points, which the student sees
MOST_LINES = 54  # of code on a page, so that it and the questions fit on two sheets
REASONS = {
    "no-answer": "no answer in code passes",
    "no-function": "the answer is not a function",
    "long-code": "its code is too long for a page",
    "no-changes": "nothing in its code can be changed, or it is not plain Python",
    "not-alone": "its code needs cells that the student added, which are not stored",
    "stopped": "it was stopped at new arguments, because it took too long or ended its kernel",
    "no-calls": "no new arguments for it can be written in a line",
    "no-differences": "too few changes to it show a difference",
}


@dataclass(frozen=True)
class Part:
    """One exercise on a page: its code, and the questions about it with their numbers."""

    title: str
    code: Sequence[str]
    questions: Sequence[tuple[int, Question]]


@dataclass(frozen=True)
class Interview:
    """One student's questions. `reasons` has, by exercise, why there is none about it."""

    student: str
    name: str
    language: str
    parts: Sequence[Part]
    labs: Sequence[str]
    reasons: Mapping[str, str]

    @property
    def count(self) -> int:
        return sum(len(part.questions) for part in self.parts)


class Class:
    """The students of a results folder whose code can be asked about. Errors: UserError."""

    def __init__(
        self,
        project: Project,
        results: Path,
        labs: set[str],
        students: Sequence[str],
        sample: int | None,
        seed: int | None,
    ):
        load(project.course)
        found = kept(results)
        self.project, self.run, self.seed = project, found.run, found.run.seed if seed is None else seed
        self.store, self.keys = FactStore(project, results), found.keys
        self.rows: dict[str, list[FinalScore]] = {}
        for each in found.final_scores:
            if each.lab in labs or not labs and each.lab in project.course.names:
                self.rows.setdefault(each.student, []).append(each)
        for name in students:
            if name not in self.rows:
                raise UserError(f"{results}: no student {printable(name)!r}{did_you_mean(name, self.rows)}")
        wanted = sorted(students or self.rows)
        if sample is not None:
            wanted = sorted(random.Random(f"{self.seed}/sample").sample(wanted, min(sample, len(wanted))))
        self.students = dict.fromkeys(wanted)

    def trials(self, budgets: Budgets) -> list[Trial]:
        """One trial for each student and lab with a passing answer in code."""
        return [
            Trial(
                student, each.lab, tuple(result.code.items()), names, f"{self.seed}/{student}", self.run.seed, budgets
            )
            for student in self.students
            for each in self.rows[student]
            if (result := self._result(each)) and (names := _passing(result))
        ]

    def _result(self, row: FinalScore) -> Result | None:
        key = self.keys.get((row.student, row.lab), "")
        return self.store.get(key, row.result.submission) if key in self.store else None

    def interview(self, student: str, tried: Mapping[str, Sequence[Tries]]) -> Interview:
        """Choose the student's questions. `tried` has what their answers returned, by lab."""
        row = self.rows[student][0]
        language = row.result.language if row.result.language in SPOKEN else SPOKEN[0]
        draw, reasons, found, code = random.Random(f"{self.seed}/{student}/questions"), {}, [], {}
        for tries in (each for lab in sorted(tried) for each in tried[lab]):
            own = Questions(tries, language, random.Random(f"{self.seed}/{student}/{tries.exercise}")).all()
            found, code[tries.exercise] = [*found, *own], tries.code.splitlines()
            if not own:
                reason = tries.reason or ("no-differences" if tries.calls else "no-calls")
                reasons[tries.exercise] = REASONS.get(reason, reason)
        numbered = [*enumerate(sorted(_fitting(found, code, draw), key=lambda each: [*code].index(each.exercise)), 1)]
        names = dict.fromkeys(each.exercise for _, each in numbered)
        parts = [
            Part(title(name, language), code[name], [each for each in numbered if each[1].exercise == name])
            for name in names
        ]
        labs = [lab for lab in tried if any(each.exercise in names for each in tried[lab])]
        return Interview(student, row.profile.name or student, language, parts, labs, reasons)


def _passing(result: Result) -> tuple[str, ...]:
    """The exercises whose checks all passed, with the student's own code alone."""
    checks = {name: [check for check in result.of_exercise(name) if check.is_test] for name in result.code}
    return tuple(
        name
        for name, own in checks.items()
        if own and all(each.outcome == "passed" and not each.findings for each in own)
    )


def _fitting(found: Sequence[Question], code: Mapping[str, Sequence[str]], draw: random.Random) -> list[Question]:
    """Choose questions whose code fits on the page."""
    chosen = choose(found, QUESTIONS, draw)
    names = sorted({each.exercise for each in chosen}, key=lambda name: (-len(code[name]), name))
    if sum(len(code[name]) for name in names) <= MOST_LINES:
        return chosen
    return _fitting([each for each in found if each.exercise != names[0]], code, draw)


def write(out: Path, interviews: Sequence[Interview]) -> None:
    """Write the pages, the key and the table of points. Errors: OSError."""
    out.mkdir(parents=True, exist_ok=True)
    asked = [each for each in interviews if each.parts]
    for each in asked:
        _write(out / f"{file_of(each.student)}.html", [each], each.language, "interview-title")
    _write(out / f"{KEY}.html", asked, "en", "interview-key")
    rows = ({"student": each.student, "lab": lab, "reason": REASON} for each in asked for lab in each.labs)
    adjustments.write(out / POINTS, rows)


def _write(path: Path, interviews: Sequence[Interview], language: str, heading: str) -> None:
    facts = {"title": phrase(heading, language), "interviews": interviews, "is_key": path.stem == KEY, "phrase": phrase}
    pieces = page("interview", pictures=True, language=language, **facts)
    path.write_bytes("".join(pieces).encode("utf-8", "backslashreplace"))
