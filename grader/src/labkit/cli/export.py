"""`labkit export`: write final scores in the format of an LMS or another tool."""

from __future__ import annotations

from pathlib import Path

import click

from labkit.cli.options import PATH, InCourse, file_option, find_lab, lab_named, labs_option, out_option, writing
from labkit.student.model.course import Course
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import amount

JOINED, TABLES = ("canvas", "moodle", "brightspace"), ("nbgrader", "csv")
ZIPS = tuple(f"{lms}-feedback" for lms in JOINED)


ASSIGNMENT = click.option(
    "--assignment",
    metavar="[LAB=]NAME",
    multiple=True,
    help="The lab's name in the LMS; may be repeated.  [default: the lab's own name]",
)


@click.command(cls=InCourse)
@click.argument("results", metavar="OUT", type=PATH)
@click.option("--to", "form", required=True, type=click.Choice([*JOINED, *ZIPS, *TABLES]), help="The format to write.")
@file_option(
    "--gradebook",
    help="For canvas, moodle and brightspace: the CSV file exported from the LMS. Scores go into a copy of it.",
)
@ASSIGNMENT
@labs_option("Export")
@out_option("The file or folder to write.")
def export(project: Project, results: Path, form: str, gradebook: Path | None, assignment, only, out: Path) -> None:
    """Export final scores or feedback for another tool. OUT is the folder with the results of `labkit grade`."""
    if (form in JOINED) != bool(gradebook):
        raise UserError(f"--to {form} " + ("needs --gradebook" if form in JOINED else "takes no --gradebook"))
    if assignment and form not in JOINED:
        raise UserError(f"--to {form} takes no --assignment")
    labs = {lab_named(project.course, name) for name in only}
    write_scores(project, results, form, gradebook, assignment, labs, out)


def write_scores(
    project: Project,
    results: Path,
    form: str,
    gradebook: Path | None,
    assignment: tuple[str, ...],
    labs: set[str],
    out: Path,
) -> None:
    """Write the scores of these labs (all labs if `labs` is empty), and print what was left out. Errors: UserError."""
    from labkit.desk.lms import feedback_zips, gradebooks
    from labkit.desk.people import score_store

    run, rows = score_store.read(results)
    rows = [row for row in rows if row.lab in labs or not labs]
    if not rows:
        raise UserError(f"{results}: no results" + f" for {', '.join(sorted(labs))}" * bool(labs))
    with writing(out):
        if gradebook:
            _fill(form, gradebook, _by_name(project.course, rows, assignment), out)
        elif form in ZIPS:
            names = sorted({row.lab for row in rows if row.lab})
            if len(names) > 1:
                raise UserError(
                    f"--to {form} exports one assignment: choose its lab with --lab, one of {', '.join(names)}"
                )
            export = feedback_zips.write(form, rows, results, out)
            _show(f"{export.filled:,} feedback files, named like the submissions in the download", export.notes)
        else:
            _show("", gradebooks.write_new(form, rows, run, out).notes)
    waiting = [row for row in rows if row.to_read]
    if waiting:
        points = sum(row.to_read for row in waiting)
        scores = "1 score is" if len(waiting) == 1 else f"{len(waiting):,} scores are"
        ungraded = "1 point is" if points == 1 else f"{points:g} points are"
        click.echo(f"{scores} not final: {ungraded} still ungraded; run labkit read {results}")
    click.echo(f"{out}: written ({run})")


def _show(line: str, notes: list[str]) -> None:
    for each in filter(None, (line, *(f"  {note}" for note in notes))):
        click.echo(each)


def _by_name(course: Course, rows: list, assignment: tuple[str, ...]) -> list[tuple[str, list]]:
    """Each lab's name in the LMS, with the lab's rows. Errors: UserError."""
    labs = [lab for lab in course.names if any(row.lab == lab for row in rows)]
    called = {}
    for each in assignment:
        lab, mark, name = each.partition("=")
        known = find_lab(course, lab) if mark else None
        if not known and len(labs) != 1:
            raise UserError(
                f"--assignment {each!r}: which lab? Write LAB={each}, where LAB is one of {', '.join(labs)}"
            )
        called[known or labs[0]] = name if known else each
    wanted = [lab for lab in labs if lab in called] if called else labs
    if unknown := [lab for lab in called if lab not in labs]:
        raise UserError(f"--assignment: no results for {', '.join(unknown)}")
    return [(called.get(lab, lab), [row for row in rows if row.lab == lab]) for lab in wanted]


def _fill(form: str, gradebook: Path, labs: list, out: Path) -> None:
    from labkit.desk.lms import gradebooks

    if out.exists() and out.samefile(gradebook):
        raise UserError(f"{out} is the file exported from the LMS: choose another file for the copy")
    exports = gradebooks.FORMS[form](gradebook, labs, out)
    for (name, _), each in zip(labs, exports):
        _show(f"{name}: {amount(each.filled, 'score')} written", each.notes)
