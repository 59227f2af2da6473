"""A submission's feedback in the student's language.

It leaves out what students must not see: the names and arguments of checks, and the values in an instructor's failed `assert`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from labkit.desk.people.adjustments import reference_of
from labkit.desk.people.desk import Comments
from labkit.desk.people.final_score import Adjusted, FinalScore
from labkit.grade.judge.results import NOT_HANDED_IN, NOT_JUDGED, REFERENCE_OUTPUTS, Check, Result, all_passed
from labkit.student.judging.finding import Finding, brief
from labkit.student.judging.observation import Observation, call_of
from labkit.student.judging.words import in_words, lab_title, register, say, say_each, title, words_in
from labkit.student.model.course import Course
from labkit.student.model.text import printable, shortened

register(words_in(Path(__file__).parent))

Target = Callable[[str, str], str]  # returns the expected picture of a lab's exercise
Drawn = Callable[[Result, str], dict[str, str]]  # returns the pictures of an exercise, as fields of Part

THREE_LINES = 360  # maximum characters of a text that comes from neither labkit nor the lab
LONGEST = 1_000  # characters of a message or line for another tool
MOST = 12  # maximum number of remarks per exercise
# A line break within a paragraph, shown as a space. Line breaks before lists, quotations and tables are kept.
GOES_ON = re.compile(r"(?<=\S)\n(?![\s\-*+>#|]|\d+[.)]\s)(?=.)")


@dataclass(frozen=True)
class Part:
    """One exercise on the student's page."""

    exercise: str
    title: str
    state: str  # right, partly, wrong, missing, waiting, read, adjusted or error
    points: float
    of: float
    passed: int
    checks: int  # number of checks with points, or of all checks if none have points
    remarks: tuple[str, ...]
    comments: tuple[str, ...]  # the instructor's own comments on findings
    reference: str  # for the student to quote in a regrade request
    written: str = ""
    code: str = ""
    reader_comment: str = ""  # the reader's comment on a written answer
    adjusted: tuple[str, ...] = ()  # the instructor's adjustments and reasons
    call: str = ""  # the call that drew the figure
    picture: str = ""  # the student's figure, as PNG in base64
    target: str = ""  # the expected figure, as PNG in base64

    @property
    def is_folded(self) -> bool:
        """Whether the exercise's details start collapsed, because it is right."""
        return self.state == "right" and bool(
            self.remarks or self.comments or self.picture or self.written or self.code
        )

    @property
    def is_scored(self) -> bool:
        """Whether the exercise's points are meaningful: it has points, and is graded."""
        return self.of > 0 and self.state not in ("waiting", "error")

    @property
    def lost_checks(self) -> bool:
        return self.passed < self.checks and self.state not in ("missing", "error")


@dataclass(frozen=True)
class Feedback:
    """One submission on the student's page."""

    final_score: FinalScore
    why: str  # the reason for the status
    parts: tuple[Part, ...]

    @property
    def language(self) -> str:
        return self.final_score.result.language

    def score(self) -> str:
        """The score in one line."""
        final_score, language = self.final_score, self.language
        if final_score.excused:
            return phrase("excused-score", language)
        if not final_score.max_score:
            return phrase("no-points", language)
        return score_text(final_score.final or 0, final_score.max_score, final_score.to_read, language)

    @property
    def title(self) -> str:
        return lab_title(self.final_score.lab, self.language) if self.final_score.lab else "–"

    def to_open(self) -> Part | None:
        """The first exercise that could still earn points."""
        open_again = (part for part in self.parts if part.of and part.state in ("wrong", "partly", "missing"))
        return None if self.final_score.excused else next(open_again, None)

    def reasons(self) -> Iterator[str]:
        """Yield the reason for the status, lateness, and changes to the whole lab's points."""
        row = self.final_score
        if self.why:
            yield self.why
        if row.penalty and not row.excused:
            yield phrase("penalty", self.language, points=row.score, penalty=row.penalty, why=row.why_late)
        yield from (_changed(change, self.language) for change in row.adjusted(""))

    def notes(self) -> Iterator[str]:
        """Yield notes on the score: its reasons, and the graded file."""
        submission = self.final_score.result.submission
        yield from self.reasons()
        if submission.file:
            yield phrase("file", self.language, file=submission.file)
        if submission.passed_over:
            yield phrase("passed-over", self.language, files=shortened("; ".join(submission.passed_over), THREE_LINES))


def score_text(points: float, of: float, waiting: float, language: str) -> str:
    """Write points, their maximum, and the ungraded points."""
    id = "points-so-far-one" if waiting == 1 else "points-so-far" if waiting else "points"
    return phrase(id, language, points=points, of=of, waiting=waiting)


def summary_of(labs: Sequence[Feedback], language: str) -> Iterator[str]:
    """Yield the total, and which exercise to open next."""
    counting = [lab.final_score for lab in labs if not lab.final_score.excused]
    of, waiting = (sum(getattr(each, what) for each in counting) for what in ("max_score", "to_read"))
    if of:
        score = score_text(sum(each.final or 0 for each in counting), of, waiting, language)
        yield phrase("total", language, score=score) if len(labs) > 1 else score
    open_again = next(((lab, part) for lab in labs if (part := lab.to_open())), None)
    if open_again:
        lab, part = open_again
        yield phrase(
            "next-missing" if part.state == "missing" else "next", language, exercise=part.title, lab=lab.title
        )
    elif any(lab.final_score.outdated for lab in labs):
        return
    elif all(part.state not in ("wrong", "partly", "missing", "error") for lab in labs for part in lab.parts) and of:
        yield phrase("done", language)


@lru_cache(maxsize=1_000, typed=True)  # every page repeats the same phrases
def phrase(id: str, language: str, **facts: object) -> str:
    """Fill in one of the page's own phrases."""
    return say("", Finding(f"page-{id}", facts), language).strip()


def texts_of(result: Result) -> dict[str, Any]:
    """Put everything that was found into the student's words: the reason for the status and, by exercise, a title and remarks.

    Here, findings become text, for a page, for Markdown and, by way of results.json, for an LMS.
    """
    names, language = dict.fromkeys(check.exercise for check in result.checks), result.language
    hidden = result.status == NOT_JUDGED
    why = phrase("not-judged", language) if hidden else shortened(result.why(language), THREE_LINES)
    exercises = {
        name: {"title": title(name, language), "remarks": _remarks(result.of_exercise(name), language)}
        for name in names
    }
    return {"why": why, "exercises": exercises}


def feedback(
    final_score: FinalScore, comments: Comments = Comments(), drawn: Drawn = lambda result, exercise: {}
) -> Feedback:
    """Collect a submission's feedback. The words of a stored final score are those of results.json."""
    texts = final_score.feedback or texts_of(final_score.result)
    is_missing = final_score.result.status == NOT_HANDED_IN
    parts = [
        _part(final_score, name, own, comments, drawn)
        for name, own in texts["exercises"].items()
        if not is_missing or final_score.adjusted(name)
    ]
    return Feedback(final_score, texts["why"], tuple(parts))


def _part(final_score: FinalScore, name: str, texts: dict[str, Any], comments: Comments, drawn: Drawn) -> Part:
    result, reading = final_score.result, final_score.readings.get(name)
    checks = result.of_exercise(name)
    scored = [check for check in checks if result.max_points(check)] or [check for check in checks if check.is_test]
    given, written = dict(result.written_points()).get(name, 0), result.written.get(name, "")
    points, changes = final_score.points(name), final_score.adjusted(name)
    of = sum(map(result.max_points, checks)) + given
    return Part(
        exercise=name,
        **texts,
        state=_state(final_score, name, points, of),
        points=points,
        of=of,
        passed=sum(check.outcome == "passed" for check in scored),
        checks=len(scored),
        comments=tuple(dict.fromkeys(words for check in checks for words in comments.on(check))),
        reference=reference_of(result.student, result.lab, name),
        written=written if "```" in written else GOES_ON.sub(" ", written),
        code=result.code.get(name, ""),
        reader_comment=reading.comment if reading else "",
        adjusted=tuple(_changed(change, result.language) for change in changes),
        **(drawn(result, name) if name in result.pictures else {}),
    )


def drawn(course: Course, target: Target, result: Result, name: str) -> dict[str, str]:
    """The student's picture and the expected one, with the call that draws them."""
    exercise = course.exercises[name]
    called = call_of(Observation(exercise, exercise.probes[0].args, None))
    call = in_words(name, called, result.language)
    return {"call": call, "picture": result.pictures[name], "target": target(result.lab, name)}


def _changed(change: Adjusted, language: str) -> str:
    facts = {"before": change.before, "after": change.after, "reason": change.reason}
    kind = "excused" if change.after is None else "adjusted-points" if change.moved else "adjusted-by-nothing"
    earlier = [phrase("adjusted-earlier", language)] if change.confirm else []
    return " ".join((phrase(kind, language, **facts), *earlier))


def _state(final_score: FinalScore, name: str, points: float, of: float) -> str:
    """Derive the state of an exercise from its checks, because points say nothing about an exercise worth none."""
    checks = final_score.result.of_exercise(name)
    if any(each.settles or each.add for each in final_score.given if each.exercise == name):
        return "adjusted"
    if final_score.result.status == NOT_HANDED_IN:
        return "missing"
    outcomes = {check.outcome for check in checks if check.name != REFERENCE_OUTPUTS}
    if name in final_score.readings:
        return "read"
    if "manual" in outcomes:
        return "waiting"
    if outcomes == {"missing"}:
        return "missing"
    if {check.name for check in checks} == {NOT_JUDGED}:
        return "error"
    if all_passed(checks):
        return "right"
    return "partly" if points or not of and "passed" in outcomes else "wrong"


def _remarks(checks: tuple[Check, ...], language: str) -> tuple[str, ...]:
    """Make one remark for each finding, without duplicates. Outputs that differ are mentioned only if nothing else was found."""
    found, aside = [], []
    for check in checks:
        if check.name == NOT_JUDGED or check.outcome in ("missing", "manual"):
            continue  # already shown for the whole submission, or by the exercise's state
        findings = tuple(finding for finding in check.findings if finding.id != "outputs-differ")
        aside += [finding for finding in check.findings if finding not in findings]
        found += [brief(_for_students(check, each, language), THREE_LINES) for each in findings]
    remarks = [" ".join(text.split()) for text in say_each(checks[0].exercise, found, language)]
    lost = any(check.outcome != "passed" for check in checks if check.name != REFERENCE_OUTPUTS)
    if aside and lost and not any(remarks):
        remarks.append(say("", aside[0], language))
    return tuple(dict.fromkeys(filter(None, remarks)))[:MOST]


def _for_students(check: Check, finding: Finding, language: str) -> Finding:
    """Remove values that only graders may see from a finding: those in error messages of checks and assertions."""
    if finding.id == "check-failed":
        return Finding("said", {"text": phrase("check-failed", language)})
    if finding.id == "said" and check.name != REFERENCE_OUTPUTS:
        own = str(finding.facts.get("text", "")).partition("assert ")[0].strip(" :\n")
        return Finding("said", {"text": own or phrase("own-check", language)})
    return finding


def lines_of(row: FinalScore) -> Iterator[str]:
    """Yield an LMS's comment: the score, the reasons for it, and a line for each exercise that lost points or that a person decided."""
    lab = feedback(row)
    unanswered = all(part.state == "missing" for part in lab.parts if part.checks)  # the reason says so
    lost = [part for part in lab.parts if part.is_scored and part.points < part.of and not unanswered]
    parts = [part for part in lab.parts if part in lost or part.adjusted or part.state == "read"]
    lines = (line_of(lab, part, (*own_remarks(lab, part), *part.adjusted, part.reader_comment)) for part in parts)
    return short((lab.score(), *lab.reasons(), *lines))


def own_remarks(lab: Feedback, part: Part) -> tuple[str, ...]:
    """What the student's page says about an exercise, without what the reason for the status already says."""
    if part.state == "missing":
        return (phrase(part.state, lab.language),)
    return tuple(remark for remark in part.remarks if remark not in lab.why)


def line_of(lab: Feedback, part: Part, texts: Iterable[str]) -> str:
    points = phrase("exercise-points", lab.language, points=part.points, of=part.of)
    return ": ".join(filter(None, (f"{part.title}, {points}", " ".join(filter(None, texts)))))


def short(lines: Iterable[str]) -> Iterator[str]:
    return (printable(shortened(line, LONGEST)) for line in lines)
