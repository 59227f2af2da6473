"""Remember which attempt each manual decision was made for, and mark decisions that now apply to a different one.

A decision is a row of adjustments.csv, or a row of manual.csv without a digest. A decision about an exercise is made for the
student's answer to it, and a decision about a lab for the whole submission. final_scores.json stores digests of these, so a
row that is new in the file belongs to the attempt of the last grading, which is the one that the instructor saw. A row's
`answer` cell, if filled in, decides instead.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from labkit.desk.people.final_score import Adjustment, FinalScore, Reading, Seen
from labkit.desk.people.manual import digest_of
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.results import NOT_JUDGED, Result

NONE = "none"  # in place of a digest, if there is no answer
WHOLE = ""  # in place of an exercise, for the whole submission


def answers_of(result: Result) -> dict[str, str]:
    """A digest of the submission, and of each answer in it."""
    code = {exercise: _digest(source) for exercise, source in result.code.items()}
    written = {exercise: digest_of(result.written.get(exercise, "")) for exercise, _ in result.written_points()}
    return {WHOLE: _whole(result.submission), **code, **written}


def _whole(submission: Submission) -> str:
    return f"a{submission.digest[:15]}" if submission.digest else NONE


def _digest(source: str) -> str:
    return "a" + hashlib.sha256(source.encode("utf-8", "backslashreplace")).hexdigest()[:15]


def marked(final_scores: Iterable[FinalScore], before: Mapping[tuple[str, str], Seen]) -> Iterator[FinalScore]:
    """Mark decisions made for another attempt. `before` has what the last grading stored, by student and lab."""
    for each in final_scores:
        earlier = before.get((each.result.student, each.result.lab), Seen())
        yield replace(each, seen=earlier) if each.result.status == NOT_JUDGED else _Decisions(each, earlier).marked()


def with_an_old_time(submissions: Iterable[Submission], before: Mapping[tuple[str, str], Seen]) -> list[str]:
    """Students whose submission is new, but has the submission time of their earlier attempt."""
    found = []
    for each in submissions:
        earlier = before.get((each.student, each.lab), Seen())
        known = earlier.submitted_at and earlier.answers.get(WHOLE, NONE) != NONE
        if known and each.submitted_at == earlier.submitted_at and earlier.answers[WHOLE] != _whole(each):
            found.append(each.student)
    return found


@dataclass
class _Decisions:
    """One submission's decisions. `made_for` collects the digest that each was made for."""

    final_score: FinalScore
    before: Seen
    answers: Mapping[str, str] = field(init=False)
    made_for: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.answers = answers_of(self.final_score.result)

    def marked(self) -> FinalScore:
        given = tuple(replace(each, confirm=self._adjustment(each)) for each in self.final_score.given)
        readings = {
            exercise: each if each.answer else replace(each, confirm=self._reading(exercise, each))
            for exercise, each in self.final_score.readings.items()
        }
        seen = Seen(self.answers, self.made_for, self.final_score.result.submitted_at)
        return replace(self.final_score, given=given, readings=readings, seen=seen)

    def _adjustment(self, each: Adjustment) -> str:
        return self._confirm(each.exercise, each.answer, f"{each.add:g} {each.set} {each.excused} {each.reason}")

    def _reading(self, exercise: str, each: Reading) -> str:
        return self._confirm(exercise, "", f"read {each.points:g} {each.comment}")

    def _confirm(self, exercise: str, answer: str, decision: str) -> str:
        """The digest that confirms this decision; "" if it was made for the current answer."""
        now = self.answers.get(exercise, NONE)
        if not answer:
            key = digest_of(f"{exercise} {decision}")
            seen = self.before.answers.get(exercise, NONE) if self.before.answers else now
            answer = self.made_for[key] = self.before.made_for.get(key, seen)
        return "" if answer == now else now
