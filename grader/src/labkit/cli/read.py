"""`labkit read`: written answers, read on a local page or in a spreadsheet."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import click

from labkit.cli.options import InCourse, Whole
from labkit.model.course import Course
from labkit.model.project import Project
from labkit.pipeline.problems import Failure, Problem


@click.command(cls=InCourse)
@click.argument("out", type=click.Path(path_type=Path))
@click.option(
    "--csv", "sheet", metavar="FILE", type=click.Path(path_type=Path), help="Write what waits into a new FILE instead."
)
@click.option(
    "--take", "filled", metavar="FILE", type=click.Path(path_type=Path), help="Take back what was filled in there."
)
@click.option("--port", type=Whole(0, 65535), default=0, help="Of the page.  [default: a free one]")
def read(project: Project, out: Path, sheet: Path | None, filled: Path | None, port: int) -> None:
    """Read the written answers of the results in OUT, names hidden; points and comments go to OUT/manual.csv."""
    from labkit.desk import manual, score_store
    from labkit.desk.reading.answers import answers_in
    from labkit.desk.reading.desk import ReadingDesk
    from labkit.desk.sheets import DeskProblem

    if sheet and filled:
        raise Problem("--csv writes what waits, and --take takes it back: one after the other")
    path = out / manual.NAME
    try:
        answers = answers_in(project.course, score_store.results_in(out))
        if sheet:
            _write(project, sheet, answers, manual.read(project.course, path))
        elif filled:
            _take(project.course, filled, answers, path)
        else:
            _serve(ReadingDesk(project, answers, path), port, path)
    except DeskProblem as problem:
        raise Problem(str(problem)) from None


def _write(project: Project, sheet: Path, answers: list, given: dict) -> None:
    from labkit.desk.reading.sheet import write_sheet

    if sheet.exists():
        raise Problem(f"{sheet} is there already, and may hold points: take them with --take, or name another file")
    try:
        count = write_sheet(project, sheet, answers, given)
    except OSError as error:
        raise Failure(f"{sheet}: it cannot be written ({error.strerror})") from None
    click.echo(f"{sheet}: {count:,} different answers that wait; fill in points and comments, then: --take {sheet}")


def _take(course: Course, filled: Path, answers: list, path: Path) -> None:
    from labkit.desk import manual
    from labkit.desk.reading.sheet import taken_from

    taken = taken_from(course, filled, answers)
    try:
        manual.change(course, path, taken)
    except OSError as error:
        raise Failure(f"{path}: it cannot be written ({error.strerror})") from None
    click.echo(f"{path}: points for {len(taken):,} answers; `labkit grade` counts them")


def _serve(desk, port: int, path: Path) -> None:
    from labkit.desk.reading.server import ReadingServer

    read, total = desk.progress()
    if not total:
        raise Problem(f"{path.parent}: there are no written answers to read")
    try:
        server = ReadingServer(desk, port)
    except OSError as error:
        raise Problem(f"port {port} cannot be had ({error.strerror})") from None
    with server:
        click.echo(
            f"{total - read:,} of {total:,} different answers wait. Open this in a browser, and end with Ctrl-C:"
        )
        click.echo(f"  {server.address}")
        with suppress(KeyboardInterrupt):
            server.serve_forever(poll_interval=0.1)
    read, total = desk.progress()
    click.echo(f"\n{read:,} of {total:,} are read; {path} has them, and `labkit grade` counts them")
