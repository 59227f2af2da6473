"""`labkit export`, `read` and `interview`: what follows from the results of `labkit grade`."""

from __future__ import annotations

import shlex
from contextlib import suppress
from pathlib import Path

import click

from labkit.cli.options import JOBS, PATH, UNSANDBOXED, InCourse, Whole, file_option, labs_option, out_option, writing
from labkit.student.model.course import Course
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import amount, printable

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
    labs = {project.course.lab_named(name) for name in only}
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
        known = course.find_lab(lab) if mark else None
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


@click.command(cls=InCourse)
@click.argument("out", type=PATH)
@click.option(
    "--reader",
    metavar="NAME",
    default="",
    help="Grade as one of several readers; the other readers' points stay hidden and unchanged.",
)
@file_option("--csv", "sheet", help="Write the ungraded answers to a new FILE, instead of opening the page.")
@file_option("--take", "filled", help="Read points and comments back from FILE, instead of opening the page.")
@click.option("--port", type=Whole(0, 65535), default=0, help="Port of the page.  [default: a free one]")
def read(project: Project, out: Path, reader: str, sheet: Path | None, filled: Path | None, port: int) -> None:
    """Grade written answers and answer regrade requests. OUT is the results folder; the page hides names.

    Points and comments are saved in OUT/manual.csv, and answers to requests in OUT/adjustments.csv.
    """
    from labkit.desk.people import manual, score_store
    from labkit.desk.reading.regrades import RegradeDesk
    from labkit.desk.reading.written import ReadingDesk, answers_in

    if sheet and filled:
        raise UserError("--csv writes ungraded answers and --take reads them back: use one at a time")
    path, reader = out / manual.NAME, reader.strip()
    results = score_store.results_in(out)
    answers = answers_in(project.course, results)
    if sheet:
        _write_sheet(project, sheet, answers, path, reader)
    elif filled:
        _take_sheet(project.course, filled, answers, path, reader)
    else:
        _serve(ReadingDesk(project, answers, path, reader), RegradeDesk(project, out, results), port, path)


def _write_sheet(project: Project, sheet: Path, answers: list, path: Path, reader: str) -> None:
    from labkit.desk.people import manual
    from labkit.desk.reading.written import write_sheet

    given = manual.of_reader(manual.read_all(project.course, path), reader)
    if sheet.exists():
        raise UserError(f"{sheet} already exists and may contain points: read them with --take, or choose another file")
    with writing(sheet):
        count = write_sheet(project, sheet, answers, given)
    answers_are = "ungraded answer" if count == 1 else "different ungraded answers"
    click.echo(f"{sheet}: {count:,} {answers_are}; fill in points and comments, then run:")
    click.echo(f"  {shlex.join(['labkit', 'read', str(path.parent), '--take', str(sheet)])}")


def _take_sheet(course: Course, filled: Path, answers: list, path: Path, reader: str) -> None:
    from labkit.desk.people import manual
    from labkit.desk.reading.written import taken_from

    taken = taken_from(course, filled, answers)
    with writing(path):
        manual.change(course, path, taken, reader)
    click.echo(f"{path}: points for {amount(len(taken), 'answer')}; grade again to count them")


def _serve(desk, regrades, port: int, path: Path) -> None:
    from labkit.desk.reading.server import ReadingServer

    read, total = desk.progress()
    requests = regrades.all
    if not total and not requests and not regrades.unmatched:
        raise UserError(f"{path.parent}: there are no written answers to grade and no regrade requests")
    try:
        server = ReadingServer(desk, regrades, port)
    except OSError as error:
        raise UserError(f"port {port} cannot be used ({error.strerror})") from None
    for line in regrades.unmatched:
        click.echo(line, err=True)
    with server:
        click.echo(
            f"Ungraded answers: {total - read:,} of {total:,}. Open regrade requests: {len(regrades.open()):,} of {len(requests):,}."
            " Open this address in a browser, and press Ctrl-C here when you are done:"
        )
        click.echo(f"  {server.address}{'' if total > read or not regrades.open() else 'requests.html'}")
        with suppress(KeyboardInterrupt):
            server.serve_forever(poll_interval=0.1)
    read, total = desk.progress()
    summary = f"\nGraded answers: {read:,} of {total:,}"
    if requests:
        summary += f". Answered requests: {len(requests) - len(regrades.open()):,} of {len(requests):,}"
    click.echo(f"{summary}. Run `labkit grade` again to update the results in {path.parent}.")


@click.command(cls=InCourse)
@click.argument("results", metavar="OUT", type=PATH)
@click.option("--student", "students", metavar="ID", multiple=True, help="Ask only this student; may be repeated.")
@click.option("--sample", type=Whole(1, 2**31), help="Ask N students, drawn with the seed.")
@click.option(
    "--seed", type=Whole(0, 2**31), help="Draw the questions with this seed.  [default: the seed of the results]"
)
@labs_option("Ask about")
@JOBS
@out_option("The folder to write the pages to.")
@UNSANDBOXED
def interview(
    project: Project,
    results: Path,
    students: tuple[str, ...],
    sample: int | None,
    seed: int | None,
    only: tuple[str, ...],
    jobs: int,
    out: Path,
    allow_unsandboxed: bool,
) -> None:
    """Make a page with three questions about each student's own code. OUT is the results folder.

    Each answer is computed by running the student's code at new arguments, or with one token changed. The file _key.html has the
    answers, and adjustments.csv a row for each student's points.
    """
    from labkit.desk.interview import pages
    from labkit.grade.batch import Settings
    from labkit.grade.batch.local_executor import try_each
    from labkit.grade.sandbox.confine import check_isolation

    check_isolation(project, [results], allow_unsandboxed)
    labs = {project.course.lab_named(name) for name in only}
    own = pages.Class(project, results, labs, students, sample, seed)
    tried: dict[str, dict[str, tuple]] = {student: {} for student in own.students}
    settings = Settings(jobs, own.seed, project.budgets, unsandboxed=allow_unsandboxed)
    for trial, tries in try_each(project, own.trials(settings.budgets), settings, click.echo):
        tried[trial.student][trial.lab] = tries
    interviews = [own.interview(student, tried[student]) for student in own.students]
    with writing(out):
        pages.write(out, interviews)
    asked = [each for each in interviews if each.parts]
    questions = sum(each.count for each in asked)
    click.echo(
        f"{out}: {amount(questions, 'question')} for {amount(len(asked), 'student')}, {pages.KEY}.html and {pages.POINTS} (seed {own.seed})"
    )
    for each in interviews:
        if each.count < pages.QUESTIONS:
            why = (
                "; ".join(f"{name}: {reason}" for name, reason in each.reasons.items())
                or pages.REASONS["no-differences" if each.parts else "no-answer"]
            )
            click.echo(f"  {printable(each.student)}: {amount(each.count, 'question')} ({printable(why)})")
