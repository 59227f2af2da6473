"""Run the steps from submissions to reports, for `labkit grade` and `labkit merge`."""

from __future__ import annotations

from labkit.cli.pipeline.grade import Judging, grade_chosen
from labkit.cli.pipeline.options import Options
from labkit.desk.people.desk import Desk
from labkit.grade.batch.course_check import wrong_parts
from labkit.grade.intake.archives import extraction_directory
from labkit.grade.intake.files import most_of_notebook
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project


def run(project: Project, given: Options, judging: Judging) -> None:
    """Grade, score and report a class. With --diff, only print what would change. Errors: UserError."""
    for fault in wrong_parts(project, project.course.names):
        raise UserError(fault)
    desk = Desk.read(project, given.out, given.roster, given.deadlines, given.comments, compares=given.only_changes)
    with extraction_directory(most_of_notebook(given.budgets.submission_bytes)) as directory:
        graded = grade_chosen(given, desk, judging, directory)
        final_scores = desk.final_scores(graded.results)  # lazy: each final score is computed when it is reported
        # Imported here, because a refused run needs neither numpy nor jinja2.
        from labkit.cli.pipeline.report import report, report_changes

        if given.only_changes:
            return report_changes(final_scores, desk)
        report(final_scores, graded, desk, given)
