"""Read the instructor's files before grading (roster, deadlines, points given by hand, comments), and turn results into final scores.

`comments.toml` is for students. It has a table for each exercise, in which each key is a mistake from the catalogue or a check:

    [sinusoidal_pe]
    degrees = "Page 3 of the handout shows this."

`lecture.toml` is for the instructor. For any mistake in the catalogue, it can have a sentence to use in a lecture.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from labkit.desk.people import adjustments, late, manual, score_store
from labkit.desk.people.final_score import FinalScore, Mark, Seen
from labkit.desk.people.matching import check_roster, join, missing_members, shared, tidied
from labkit.desk.people.roster import Roster
from labkit.desk.people.roster_file import read_roster
from labkit.desk.people.sheets import check_known
from labkit.grade.batch.part import WHOLE, Last
from labkit.grade.batch.store import digest_of_file
from labkit.grade.intake.submission import Submission, doubtful
from labkit.grade.judge.points import points_by_check
from labkit.grade.judge.results import NOT_HANDED_IN, Check, Result
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project, read_toml
from labkit.student.model.text import some

COMMENTS, LECTURE = "comments.toml", "lecture.toml"


@dataclass(frozen=True)
class Comments:
    """Comments by exercise, then by mistake or check."""

    words: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def on(self, check: Check) -> Iterator[str]:
        """Comments on a check that did not pass: on its mistakes, then on the check."""
        if check.outcome != "passed":
            for key in (*(finding.mistake for finding in check.mistakes), check.name.partition("[")[0]):
                if words := self.words.get((check.exercise, key)):
                    yield words


@dataclass
class Desk:
    """The roster, points given by readers, adjustments, deadlines and comments."""

    project: Project
    policy: late.Policy
    given: Mapping[manual.Key, Mark]
    adjusted: adjustments.Adjustments
    digests: Mapping[str, str]  # of manual.csv and adjustments.csv
    comments: Comments
    roster: Roster | None = None
    before: score_store.Kept | None = None  # the class's final scores from the last grading
    # Names in the download that match no one in the roster, or several people.
    strangers: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # lines for the terminal about decisions on submissions

    @classmethod
    def read(
        cls,
        project: Project,
        out: Path,
        roster: Path | None,
        deadlines: Path | None,
        comments: Path | None,
        compares: bool,
    ) -> Desk:
        """Read these files, or the default ones in the course's folder and `out`. Errors: UserError, naming the file."""
        if deadlines and not deadlines.exists():
            raise UserError(f"{deadlines}: no such file")
        before = score_store.earlier(out)
        if compares and before is None:
            raise UserError(f"{out}: no {score_store.NAME} to compare with; grade once without --diff")
        return cls(
            project,
            policy=late.read(project.course, deadlines or project.root / late.NAME),
            digests=score_store.digests(out),
            given=manual.read(project.course, out / manual.NAME),
            adjusted=adjustments.read(project, out / adjustments.NAME),
            comments=read_comments(project, comments),
            roster=read_roster(project.course, roster) if roster else None,
            before=before,
        )

    @cached_property
    def lecture(self) -> Mapping[str, str]:
        """The lecture sentence for each mistake, for the class report. Loads the whole catalogue. Errors: UserError."""
        path = self.project.root / LECTURE
        return read_lecture(self.project, path) if path.exists() else {}

    def joined(self, submissions: Sequence[Submission]) -> list[Submission]:
        """Match submissions to the roster, and add rows for missing ones. The members of a group share its submission."""
        if self.roster:
            check_roster(self.roster, submissions)
            submissions, strangers = join(self.project.course, self.roster, submissions)
            submissions = late.from_roster(self.project.course, self.roster, self.policy, submissions)
            strangers = missing_members(self.roster, submissions, strangers)
            submissions = shared(self.project.course, self.roster, submissions)
            submissions, notes = tidied(self.project.course, submissions)
            self.notes += notes
            self.strangers = [f"{name} ({why})" if why else name for name, why in strangers.items()]
        self.notes += doubtful(submissions)
        people = self.roster.people if self.roster else {}
        late.check_times(self.policy, submissions, people)
        self.notes += late.marks_without_times(self.policy, submissions, people)
        if self.policy.costs and (old := adjustments.with_an_old_time(submissions, self._seen)):
            self.notes.append(
                "Submitted again, but still with the time of the earlier attempt, so lateness may be wrong "
                f"(is the roster's submitted_at up to date?): {some(old, 10)}."
            )
        return [*submissions]

    def with_group_members(self, students: Sequence[str]) -> tuple[str, ...]:
        """Add the members of these students' groups, because they share a submission."""
        if not self.roster:
            return tuple(students)
        found = (self.roster.groups.get(self.roster.group_of(each), [each]) for each in students)
        return tuple(dict.fromkeys(id for ids in found for id in ids))

    def completed(self, submissions: Sequence[Submission], lab: str | None = None) -> list[Submission]:
        """Add a row for each student who has points but no submission.

        Errors: UserError if someone who is not in the class was given points. With `lab`, only rows for this lab are checked.
        """
        rows = {(each.student, each.lab) for each in submissions}
        students, labs = {student for student, _ in rows}, {lab} if lab else {lab for _, lab in rows}
        adjustments.check_students(self.adjusted, students, labs)
        submissions = adjustments.with_rows(self.adjusted, submissions, labs)
        manual.check_students(self.given, {(each.student, each.lab) for each in submissions}, labs)
        return submissions

    def check_same_class(self, students: Collection[str], out: Path) -> None:
        """Check that more than half of the students with results in `out` are still in the class. Errors: UserError."""
        earlier = {each.student for each in self._earlier if each.result.status != NOT_HANDED_IN}
        lost = sorted(earlier - set(students))
        if lost and 2 * len(lost) >= len(earlier):
            raise UserError(
                f"{out}: {len(lost):,} of its {len(earlier):,} students are not in this class ({some(lost, 3)}), and their rows "
                "and pages would be removed: to grade some students again, give the whole class and --only STUDENT; to grade "
                "another class, choose another --out, or add --replace to replace these results"
            )

    def final_scores(self, results: Iterable[Result]) -> Iterator[FinalScore]:
        """Compute the final score of each result. Errors: UserError if the course's own late policy fails."""
        return self.policy.applied_to(adjustments.marked(map(self._before_penalty, results), self._seen))

    def _before_penalty(self, result: Result) -> FinalScore:
        person = self.roster.people.get(result.student) if self.roster else None
        given = adjustments.given_to(self.project.course, result, self.adjusted)
        return FinalScore(result, person, manual.readings_of(result, self.given), given=given)

    @property
    def _earlier(self) -> list[FinalScore]:
        return self.before.final_scores if self.before else []

    @property
    def _seen(self) -> dict[tuple[str, str], Seen]:
        """What the last grading stored about each submission."""
        return {(each.student, each.lab): each.seen for each in self._earlier}

    def changes(self, final_scores: Iterable[FinalScore]) -> list[score_store.Change] | None:
        """The final scores that changed since the last grading; None if this is the first."""
        return None if self.before is None else score_store.changes(self._earlier, final_scores)

    def last(self, out: Path) -> Last:
        """What must stay if some students are graded again. Rows that exist only for adjustments are made anew. Errors: UserError."""
        if self.before is None:
            raise UserError(f"{out}: there are no results to keep; {WHOLE}")
        if self.before.run.results != digest_of_file(out / score_store.RESULTS):
            raise UserError(f"{out}: {score_store.RESULTS} was changed after the last grading; {WHOLE}")
        rows = [(each.result.submission, self.before.keys[each.student, each.lab]) for each in self._earlier]
        rows = [row for row in rows if row[0].by != adjustments.NAME]
        return Last(rows, self.before.run.same, self.before.run.labs)


def read_comments(project: Project, named: Path | None) -> Comments:
    """Read comments from the named file, or from the course's own if none is named.

    Errors: UserError if the file cannot be read, or names an unknown exercise, mistake or check.
    """
    words, path = {}, named or project.root / COMMENTS
    for exercise, table in read_toml(path).items() if named or path.exists() else ():
        check_known(path, "exercise", exercise, project.course.exercises)  # slow: imports numpy and all labs
        if not isinstance(table, dict):
            raise UserError(f"{path}: {exercise} is an exercise; put its comments in a table, [{exercise}]")
        stated = points_by_check(project, project.course.lab_of(exercise))
        checks = [name for name, (_, owner) in stated.items() if owner == exercise]
        for key, sentence in table.items():
            name = key.removeprefix("test_")
            check_known(path, f"mistake or check of {exercise}", name, [*_mistakes(project, exercise), *checks])
            words[exercise, name] = _sentence(path, f"{exercise}.{key}", sentence)
    return Comments(words)


def read_lecture(project: Project, path: Path) -> dict[str, str]:
    """Read the lecture sentence for each mistake. Errors: UserError, as for comments."""
    known = {mistake for exercise in project.course.exercises for mistake in _mistakes(project, exercise)}
    sentences = read_toml(path)
    for mistake in sentences:
        check_known(path, "mistake", mistake, known)
    return {mistake: _sentence(path, mistake, words) for mistake, words in sentences.items()}


def _mistakes(project: Project, exercise: str) -> list[str]:
    from labkit.student.notebook.expected import known_mistakes  # slow: imports numpy and all labs

    return known_mistakes(project, exercise)


def _sentence(path: Path, key: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise UserError(f"{path}: {key} must be text, not {value!r}")
    return value.strip()
