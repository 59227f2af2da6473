"""`labkit export`: write final scores in the format of an LMS or another tool."""

from __future__ import annotations

from pathlib import Path

import click

from labkit.cli.options import InCourse, find_lab, lab_named, writing
from labkit.student.model.course import Course
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import amount

JOINED, TABLES, ZIPS = ("canvas", "moodle"), ("nbgrader", "csv"), ("canvas-feedback", "moodle-feedback")


ASSIGNMENT = click.option(
    "--assignment",
    metavar="[LAB=]NAME",
    multiple=True,
    help="The lab's name in the LMS; may be repeated.  [default: the lab's own name]",
)


@click.command(cls=InCourse)
@click.argument("results", metavar="OUT", type=click.Path(path_type=Path))
@click.option("--to", "form", required=True, type=click.Choice([*JOINED, *ZIPS, *TABLES]), help="The format to write.")
@click.option(
    "--gradebook",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="For canvas and moodle: the CSV file exported from the LMS. Scores go into a copy of it.",
)
@ASSIGNMENT
@click.option(
    "--lab",
    "only",
    metavar="NAME",
    multiple=True,
    help="Export only this lab, given by name or number; may be repeated.",
)
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The file or folder to write.")
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
    from labkit.desk.people import score_store

    run, rows = score_store.read(results)
    rows = [row for row in rows if row.lab in labs or not labs]
    if not rows:
        raise UserError(f"{results}: no results" + f" for {', '.join(sorted(labs))}" * bool(labs))
    with writing(out):
        if form in JOINED:
            _fill(form, gradebook, _by_name(project.course, rows, assignment), out)
        elif form in ZIPS:
            _zip(form, rows, results, out)
        else:
            _write(form, rows, run, out)
    waiting = [row for row in rows if row.to_read]
    if waiting:
        points = sum(row.to_read for row in waiting)
        scores = "1 score is" if len(waiting) == 1 else f"{len(waiting):,} scores are"
        ungraded = "1 point is" if points == 1 else f"{points:g} points are"
        click.echo(f"{scores} not final: {ungraded} still ungraded; run labkit read {results}")
    click.echo(f"{out}: written ({run})")


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
    from labkit.desk.lms import canvas, moodle

    if out.exists() and out.samefile(gradebook):
        raise UserError(f"{out} is the file exported from the LMS: choose another file for the copy")
    exports = (canvas if form == "canvas" else moodle).filled(gradebook, labs, out)
    for (name, rows), each in zip(labs, exports):
        click.echo(f"{name}: {amount(each.filled, 'score')} written")
        for note in each.notes:
            click.echo(f"  {note}")


def _zip(form: str, rows: list, results: Path, out: Path) -> None:
    from labkit.desk.lms import feedback

    labs = sorted({row.lab for row in rows if row.lab})
    if len(labs) > 1:
        raise UserError(f"--to {form} exports one assignment: choose its lab with --lab, one of {', '.join(labs)}")
    export = feedback.write(form, rows, results, out)
    click.echo(f"{export.filled:,} feedback files, named like the submissions in the download")
    for note in export.notes:
        click.echo(f"  {note}")


def _write(form: str, rows: list, run, out: Path) -> None:
    from labkit.desk.lms import nbgrader, plain
    from labkit.desk.lms.joining import Export
    from labkit.grade.judge.results import NOT_HANDED_IN, NOT_JUDGED

    if form == "csv":
        plain.write(rows, run, out)
        return
    export = Export()
    counted = [
        row for row in rows if row.is_scored or row.result.status == NOT_HANDED_IN
    ]  # nbgrader counts the missing as 0
    scored = [row for row in counted if row.final is not None]
    export.note(f"left out, {NOT_JUDGED}", (row.student for row in rows if row.result.status == NOT_JUDGED))
    export.note("left out, excused", (row.student for row in counted if row.final is None))
    if not scored:
        raise export.nothing("no score to export, so nothing was written")
    nbgrader.write(scored, out)
    for note in export.notes:
        click.echo(f"  {note}")
