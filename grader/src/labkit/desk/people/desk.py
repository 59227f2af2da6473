"""Read the instructor's files (roster, deadlines, points given by hand) before grading, and turn results into final scores."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from labkit.desk.people import adjustments, late, manual, score_store
from labkit.desk.people.comments import Comments, comments_for, lecture_of
from labkit.desk.people.final_score import FinalScore, Mark, Seen
from labkit.desk.people.matching import check_roster, join, missing_members, shared, tidied
from labkit.desk.people.roster import Roster
from labkit.desk.people.roster_file import read_roster
from labkit.grade.batch.part import WHOLE, Last
from labkit.grade.batch.store import digest_of_file
from labkit.grade.intake.submission import Submission, doubtful
from labkit.grade.judge.results import NOT_HANDED_IN, Result
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import some


@dataclass
class Desk:
    """The roster, points given by readers, adjustments, deadlines and comments."""

    project: Project
    policy: late.Policy
    given: Mapping[manual.Key, Mark]
    adjusted: Sequence[adjustments.Line]
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
            comments=comments_for(project, comments),
            roster=read_roster(project.course, roster) if roster else None,
            before=before,
        )

    @cached_property
    def lecture(self) -> Mapping[str, str]:
        """The lecture sentence for each mistake, for the class report. Loads the whole catalogue. Errors: UserError."""
        return lecture_of(self.project)

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
        people = self.roster.people if self.roster else {}
        raw = (FinalScore(each, people.get(each.student)) for each in results)
        read = manual.with_readings(raw, self.given)
        given = adjustments.with_adjustments(self.project.course, read, self.adjusted)
        return self.policy.applied_to(adjustments.marked(given, self._seen))

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
