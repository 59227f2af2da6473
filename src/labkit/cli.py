"""The command line: `labkit new · build · check · grade · doctor · lock`."""

from __future__ import annotations

import errno
import os
import shlex
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import Field
from pathlib import Path

import click

from labkit import course, project
from labkit.budgets import MIB, Budgets, all_budgets, from_options, option
from labkit.text import printable

LEAST_MEMORY = (
    1024 * MIB
)  # address space of one process, which is more than it uses: numpy and matplotlib take nearly all


class Problem(click.ClickException):
    """Something the user can mend: one clear line, exit code 2."""

    exit_code = 2


class Failure(click.ClickException):
    """The machine or the grader failed, which is nobody's result: one clear line, exit code 3."""

    exit_code = 3


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="nblabkit")
def cli() -> None:
    """Labs in Jupyter notebooks: build them, check them, grade a class."""


class InCourse(click.Command):
    """A command that works on a course: the one that --course names, or the one around the working directory."""

    def __init__(self, *args: object, params: list[click.Parameter], **kwargs: object):
        named = click.Option(
            ["--course"],
            metavar="DIR",
            type=click.Path(path_type=Path),
            help=f"The course's folder, the one with {project.MANIFEST}.  [default: found upwards from here]",
        )
        super().__init__(*args, params=[*params, named], **kwargs)

    def invoke(self, ctx: click.Context) -> object:
        named = ctx.params.pop("course")
        try:
            project.use(named) if named else project.current()
            return super().invoke(ctx)
        except course.CourseError as problem:
            raise Problem(str(problem)) from None


class WithBudgets(InCourse):
    """A command that has an option for each budget, in a section of their own in its help."""

    def __init__(self, *args: object, params: list[click.Parameter], **kwargs: object):
        self.budgets = [_budget_option(budget) for budget in all_budgets()]
        super().__init__(*args, params=[*params, *self.budgets], **kwargs)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, among in (("Options", False), ("Budgets of one submission", True)):
            options = [each for each in self.get_params(ctx) if isinstance(each, click.Option)]
            with formatter.section(title):
                formatter.write_dl([each.get_help_record(ctx) for each in options if (each in self.budgets) == among])


class _Seconds(click.FloatRange):
    def convert(self, value: object, *where: object) -> float:
        seconds = super().convert(value, *where)
        return seconds if seconds == seconds else self.fail(f"{value} is not a number of seconds", *where)


def _budget_option(budget: Field) -> click.Option:
    """Whole numbers stay whole; a time may have a fraction."""
    number, what, least = type(budget.default), budget.metadata["what"], budget.metadata["least"]
    return click.Option(
        [f"--{option(budget)}"],
        type=click.IntRange(least, 2**31) if number is int else _Seconds(least, 1e6),
        metavar="N",
        help=f"{what[0].upper()}{what[1:]}.  [default: {budget.default / budget.metadata['unit']:g}, at least {least:g}]",
    )


UNSANDBOXED = click.option(
    "--allow-unsandboxed", is_flag=True, help="Also where kernels cannot be isolated (`labkit doctor` says)."
)


@cli.command(cls=WithBudgets)
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="Folder for results.json and gradebook.csv."
)
@click.option(
    "--jobs", type=click.IntRange(1, 256), default=os.cpu_count() or 1, help="Submissions at once.  [default: cores]"
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    help="Draws the hidden probes.  [default: drawn once for each --out, and kept there]",
)
@click.option("--lab", "lab_name", metavar="NAME", help="Only this lab, by its name or number.")
@click.option("--resume", is_flag=True, help="Go on where an interrupted run stopped.")
@click.option("--no-cache", is_flag=True, help="Run every submission again, unchanged ones too.")
@click.option(
    "--stock-kernel", is_flag=True, help="A kernel process for each submission, in place of a fork of a warm one."
)
@UNSANDBOXED
def grade(paths, out, jobs, seed, lab_name, resume, no_cache, stock_kernel, allow_unsandboxed, **budgets) -> None:
    """Grade submissions: notebooks, or folders that hold STUDENT/LAB.ipynb."""
    from labkit.grading import worker

    _enough_memory()
    worker.get_ready()  # before what follows is imported, too
    from labkit.grading.course_check import wrong_parts
    from labkit.grading.grade import Settings
    from labkit.grading.grade import grade as grade_class
    from labkit.grading.seed import seed_for
    from labkit.intake.choose import choose, of_lab
    from labkit.intake.discover import NothingToGrade, discover
    from labkit.reports.gradebook import write_reports
    from labkit.reports.terminal import Progress, Summary
    from labkit.sandbox.faults import MachineFailed

    lab = _lab(lab_name) if lab_name is not None else None
    budgets = _budgets(budgets, stock_kernel)
    try:
        for fault in wrong_parts(course.current().names):
            raise course.CourseError(fault)
        entries = discover(paths, out)
        _ask_for_isolation((entry.path for entry in entries), allow_unsandboxed)
        submissions = choose(entries, budgets)
        if lab and not any(each.lab == lab for each in submissions):
            raise NothingToGrade(f"no submission of {lab} among {len(entries)} notebooks")
        submissions = list(of_lab(submissions, lab)) if lab else submissions
        _make_writable(out)
        settings = Settings(jobs, seed_for(out, seed), budgets, resume, not no_cache)
        results = grade_class(submissions, out, settings, Progress(len(submissions)).tell)
    except NothingToGrade as problem:
        raise Problem(str(problem)) from None
    except MachineFailed as problem:
        raise Failure(str(problem)) from None
    summary = Summary(len(results))
    try:
        files = write_reports(results, {each.lab for each in submissions}, out, summary.hear)
    except OSError as error:
        raise Failure(
            f"{out}: results cannot be written here ({error.strerror}); make room and run this again, "
            "what was judged and kept is not run again"
        ) from None
    summary.show(files)
    if failed := summary.not_judged():
        raise Failure(failed)


@cli.command(cls=InCourse)
@click.argument("notebook", type=click.Path(path_type=Path))
@click.option("--language", type=click.Choice(["en", "es"]), default="en", show_default=True)
@UNSANDBOXED
def check(notebook: Path, language: str, allow_unsandboxed: bool) -> None:
    """Print what the checks inside the lab say about NOTEBOOK."""
    from labkit.grading.run import Run
    from labkit.intake.notebooks import Refusal, read_submission
    from labkit.judging.finding import Finding
    from labkit.judging.words import say
    from labkit.notebook.examine import examine

    if not notebook.is_file():
        raise Problem(f"{notebook}: there is no such file")
    submission = read_submission(notebook)
    if isinstance(submission, Refusal):
        raise Problem(f"{notebook}: {submission.reason}")
    _ask_for_isolation([notebook], allow_unsandboxed)
    run = Run.of(submission, budgets=project.current().own_budgets)
    try:
        for exercise in submission.lab.exercises:
            if exercise.written:
                line = say("", Finding("check-written", {"name": exercise.name}), language)
            else:
                line = examine(exercise, lambda probe: run.session.ask(exercise, probe)).line(language)
            click.echo(printable(line))
    finally:
        run.close()


@cli.command(cls=InCourse)
@click.argument("names", nargs=-1, metavar="[LAB]...")
def build(names: tuple[str, ...]) -> None:
    """Generate the student and solution notebooks and the expected data from the sources."""
    from labkit.authoring.build import build as build_lab

    for lab in [_lab(name) for name in names] or course.current().names:
        for path in build_lab(course.current().labs[lab]):
            click.echo(path)


@cli.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def new(folder: Path) -> None:
    """Make a small course in DIR, to be changed into one's own."""
    from labkit.authoring.new import NotNew, new_course

    try:
        package = new_course(folder)
    except NotNew as problem:
        raise Problem(str(problem)) from None
    except OSError as error:
        raise Problem(f"{folder}: a course cannot be made here ({error.strerror})") from None
    click.echo(f"{folder}: a course of one lab, package {package}. Next, as its README.md says:")
    click.echo(f"  cd {shlex.quote(str(folder))} && labkit build && labkit grade examples/class --out out")


@cli.command(cls=InCourse)
def doctor() -> None:
    """Say whether everything the labs and the grader need is in place."""
    from labkit.doctor import examine_installation

    sound = True
    for good, text in examine_installation():
        sound &= good
        click.echo(f"{'✔' if good else '✘'} {text}")
    sys.exit(0 if sound else 1)


@cli.command(cls=InCourse)
def lock() -> None:
    """Lock the course's locked files as they are now. Do this only when they were changed on purpose."""
    from labkit.authoring.lock import lock as write_lock

    for path, digest in write_lock().items():
        click.echo(f"{path.name} is locked at {digest[:12]}; run `labkit build` and the tests, and commit both files")


def _budgets(given: dict[str, float | None], stock_kernel: bool) -> Budgets:
    """What the options say, else the course, else the usual."""
    said = {name.replace("_", "-"): value for name, value in given.items() if value is not None}
    return from_options({**project.current().budgets, **said}, stock_kernel)


def _enough_memory() -> None:
    """A shell may allow less memory than numpy takes, which shows as hangs and as errors in answers that are right."""
    import resource

    allowed = resource.getrlimit(resource.RLIMIT_AS)[0]
    if 0 <= allowed < LEAST_MEMORY:
        raise Failure(
            f"this shell allows {allowed / MIB:.0f} MiB of memory (ulimit -v); grading needs {LEAST_MEMORY // MIB}"
        )


def _lab(name: str) -> str:
    """The lab that is meant by its name or its number."""
    names = course.current().names
    found = [lab for lab in names if name in (lab, lab[:2], lab[:2].lstrip("0"))]
    if not found:
        raise Problem(f"there is no lab {name!r}; the labs are {', '.join(names)}")
    return found[0]


def _ask_for_isolation(paths: Iterable[Path | None], allowed: bool) -> None:
    from labkit.grading.consent import refusal

    try:
        refused = refusal(filter(None, paths))
    except ValueError as problem:
        raise Problem(str(problem)) from None
    if refused and not allowed:
        raise Problem(refused)


def _make_writable(out: Path) -> None:
    """Make the output folder, or say why it cannot be one, before any work is done."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        probe = out / ".writable"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise (Failure if error.errno in (errno.ENOSPC, errno.EDQUOT) else Problem)(
            f"{out}: results cannot be written here ({error.strerror})"
        ) from None


def main() -> None:
    """Run the command line; every problem is one line on standard error, the last one."""
    sys.stdout, sys.stderr = (
        stream or open(os.devnull, "w") for stream in (sys.stdout, sys.stderr)
    )  # one may be closed
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # a name may hold what an old terminal has no letters for
    try:
        sys.exit(cli.main(standalone_mode=False) or 0)
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.exceptions.NoArgsIsHelpError as help_text:
        click.echo(help_text.format_message())
        sys.exit(2)
    except click.ClickException as problem:
        where = getattr(getattr(problem, "ctx", None), "command_path", "labkit")
        _say(f"{where}: {' '.join(problem.format_message().split())}")
        sys.exit(problem.exit_code if isinstance(problem, Failure) else 2)
    except OSError as error:
        _say(f"labkit: {error.strerror or error}{f': {error.filename}' if error.filename else ''}")
        sys.exit(3)


def _say(line: str) -> None:
    """On standard error, after all that was said before; a closed one hears nothing."""
    with suppress(OSError, ValueError):
        sys.stdout.flush()
    with suppress(OSError):
        click.echo(line, err=True)
