"""Run the steps from submissions to reports, for `labkit grade` and `labkit merge`."""

from __future__ import annotations

from labkit.desk.desk import Desk
from labkit.desk.sheets import DeskProblem
from labkit.grading import shard
from labkit.grading.again import CannotKeep
from labkit.grading.course_check import wrong_parts
from labkit.intake.archives import extraction_directory
from labkit.intake.classes import NothingToGrade
from labkit.intake.files import most_of_notebook
from labkit.model.course import CourseError
from labkit.model.project import Project
from labkit.pipeline.grade import Judging, grade
from labkit.pipeline.options import Options
from labkit.pipeline.problems import Failure, Problem
from labkit.sandbox.faults import MachineFailed


def run(project: Project, given: Options, judging: Judging) -> None:
    """Grade, score and report a class. With --diff, only print what would change. Errors: Problem and Failure."""
    try:
        for fault in wrong_parts(project, project.course.names):
            raise CourseError(fault)
        desk = Desk.read(project, given.out, given.roster, given.deadlines, given.comments, compares=given.only_changes)
        with extraction_directory(most_of_notebook(given.budgets.submission_bytes)) as directory:
            graded = grade(given, desk, judging, directory)
            final_scores = desk.final_scores(graded.results)  # lazy: each final score is computed when it is reported
            # Imported here, because a refused run needs neither numpy nor jinja2.
            from labkit.pipeline.report import report, report_changes

            if given.only_changes:
                return report_changes(final_scores, desk)
            report(final_scores, graded, desk, given)
        if given.part:
            shard.keep(given.out, given.part, graded.facts, given.as_json())
    except (NothingToGrade, DeskProblem, shard.ShardProblem, CannotKeep) as problem:
        raise Problem(str(problem)) from None
    except MachineFailed as problem:
        raise Failure(str(problem)) from None
