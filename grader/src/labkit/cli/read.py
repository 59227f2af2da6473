"""`labkit read`: grade written answers and answer regrade requests, on a local page or in a spreadsheet."""

from __future__ import annotations

import shlex
from contextlib import suppress
from pathlib import Path

import click

from labkit.cli.options import PATH, InCourse, Whole, file_option, writing
from labkit.student.model.course import Course
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project


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
        _write(project, sheet, answers, path, reader)
    elif filled:
        _take(project.course, filled, answers, path, reader)
    else:
        _serve(ReadingDesk(project, answers, path, reader), RegradeDesk(project, out, results), port, path)


def _write(project: Project, sheet: Path, answers: list, path: Path, reader: str) -> None:
    from labkit.desk.people import manual
    from labkit.desk.people.manual import of_reader
    from labkit.desk.reading.written import write_sheet

    given = of_reader(manual.read_all(project.course, path), reader)
    if sheet.exists():
        raise UserError(f"{sheet} already exists and may contain points: read them with --take, or choose another file")
    with writing(sheet):
        count = write_sheet(project, sheet, answers, given)
    answers_are = "ungraded answer" if count == 1 else "different ungraded answers"
    click.echo(f"{sheet}: {count:,} {answers_are}; fill in points and comments, then run:")
    click.echo(f"  {shlex.join(['labkit', 'read', str(path.parent), '--take', str(sheet)])}")


def _take(course: Course, filled: Path, answers: list, path: Path, reader: str) -> None:
    from labkit.desk.people import manual
    from labkit.desk.reading.written import taken_from

    taken = taken_from(course, filled, answers)
    with writing(path):
        manual.change(course, path, taken, reader)
    click.echo(
        f"{path}: points for {len(taken):,} {'answer' if len(taken) == 1 else 'answers'}; grade again to count them"
    )


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
