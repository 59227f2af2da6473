"""The command line: `labkit build · check · grade · doctor · lock`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click


class Problem(click.ClickException):
    """Something the user can mend: one clear line, exit code 2."""

    exit_code = 2


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="labkit")
def cli() -> None:
    """Labs on sinusoidal positional encoding: build them, check them, grade a class."""


@cli.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="Folder for results.json and gradebook.csv."
)
@click.option(
    "--jobs", type=click.IntRange(1, 256), default=os.cpu_count() or 1, help="Submissions at once.  [default: cores]"
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Draws the hidden probes.")
@click.option("--lab", "lab_name", metavar="NAME", help="Only this lab, by its name or number.")
@click.option("--resume", is_flag=True, help="Go on where an interrupted run stopped.")
@click.option("--no-cache", is_flag=True, help="Run every submission again, unchanged ones too.")
@click.option(
    "--cell-seconds", type=click.FloatRange(0.5), default=10.0, show_default=True, help="Time for one cell or call."
)
@click.option(
    "--stock-kernel", is_flag=True, help="A kernel process for each submission, in place of a fork of a warm one."
)
@click.option(
    "--notebook-seconds", type=click.FloatRange(1), default=120.0, show_default=True, help="Time for one notebook."
)
@click.option(
    "--memory-mib", type=click.IntRange(2048), default=4096, show_default=True, help="Address space of one notebook."
)
@click.option(
    "--disk-mib", type=click.IntRange(1), default=512, show_default=True, help="Files of one notebook together."
)
@click.option("--output-mib", type=click.IntRange(1), default=100, show_default=True, help="Output of one cell.")
@click.option(
    "--allow-unsandboxed", is_flag=True, help="Grade where kernels cannot be isolated (`labkit doctor` says)."
)
def grade(paths, out, jobs, seed, lab_name, resume, no_cache, allow_unsandboxed, **limits) -> None:
    """Grade submissions: notebooks, or folders that hold STUDENT/LAB.ipynb."""
    from labkit.grading.discover import NothingToGrade, discover
    from labkit.grading.grade import Settings
    from labkit.grading.grade import grade as grade_class
    from labkit.reports.gradebook import write_reports
    from labkit.reports.terminal import Progress, summary

    lab = _lab(lab_name).name if lab_name else None
    try:
        entries = discover(paths)
    except NothingToGrade as problem:
        raise Problem(str(problem)) from None
    _ask_for_isolation(entries, allow_unsandboxed)
    _make_writable(out)
    settings = Settings(jobs, seed, _budgets(**limits), lab, resume, not no_cache)
    results = grade_class(entries, out, settings, Progress(len(entries)).tell)
    if not results:
        raise Problem(f"no submission of {lab} among {len(entries)} notebooks")
    summary(results, write_reports(results, out))


@cli.command()
@click.argument("notebook", type=click.Path(path_type=Path))
@click.option("--language", type=click.Choice(["en", "es"]), default="en", show_default=True)
def check(notebook: Path, language: str) -> None:
    """Print what the checks inside the lab say about NOTEBOOK."""
    from labkit.check import TEXTS, examine
    from labkit.grading.run import Run
    from labkit.notebooks import Refusal, read_submission

    if not notebook.is_file():
        raise Problem(f"{notebook}: there is no such file")
    submission = read_submission(notebook)
    if isinstance(submission, Refusal):
        raise Problem(f"{notebook}: {submission.reason}")
    run = Run.of(submission)
    try:
        for exercise in submission.lab.exercises:
            if exercise.written:
                click.echo(TEXTS[language]["written"].format(name=exercise.name))
            else:
                click.echo(examine(exercise, lambda probe: run.session.ask(exercise, probe), language).line(language))
    finally:
        run.close()


@cli.command()
@click.argument("names", nargs=-1, metavar="[LAB]...")
def build(names: tuple[str, ...]) -> None:
    """Generate the student and solution notebooks and the expected data from the sources."""
    from labkit.authoring import AuthoringError
    from labkit.build import build as build_lab
    from labkit.course import labs

    for lab in [_lab(name) for name in names] or labs().values():
        try:
            for path in build_lab(lab):
                click.echo(path)
        except AuthoringError as problem:
            raise Problem(str(problem)) from None


@cli.command()
def doctor() -> None:
    """Say whether everything the labs and the grader need is in place."""
    from labkit.doctor import examine_installation

    sound = True
    for finding in examine_installation():
        sound &= finding.good
        click.echo(f"{'✔' if finding.good else '✘'} {finding.text}")
    sys.exit(0 if sound else 1)


@cli.command()
def lock() -> None:
    """Lock the reference module as it is now. Do this only when it was changed on purpose."""
    from labkit.lock import lock as write_lock

    click.echo(
        f"sinusoidal.py is locked at {write_lock()[:12]}; run `labkit build` and the tests, and commit both files"
    )


def _lab(name: str):
    from labkit.course import labs

    found = [lab for lab in labs().values() if name in (lab.name, lab.number, lab.number.lstrip("0"))]
    if not found:
        raise Problem(f"there is no lab {name!r}; the labs are {', '.join(labs())}")
    return found[0]


def _budgets(memory_mib: int, disk_mib: int, output_mib: int, **seconds: float):
    from labkit.kernel.budgets import Budgets

    return Budgets(
        memory_bytes=memory_mib * 2**20, disk_bytes=disk_mib * 2**20, output_bytes=output_mib * 2**20, **seconds
    )


def _ask_for_isolation(entries: list, allow_unsandboxed: bool) -> None:
    """Submissions of strangers are run where they are held in, or where somebody said that they need not be."""
    from labkit import project
    from labkit.kernel.confine import best_layer

    try:
        layer = best_layer()
    except ValueError as problem:
        raise Problem(str(problem)) from None
    examples = project.ROOT / "examples" / "class"
    own = all(entry.path is None or entry.path.resolve().is_relative_to(examples) for entry in entries)
    if layer == "limits" and not (own or allow_unsandboxed):
        raise Problem(
            "submissions cannot be isolated on this machine, so one could read files and the network as you can: "
            "see `labkit doctor`, or say --allow-unsandboxed"
        )


def _make_writable(out: Path) -> None:
    """Make the output folder, or say why it cannot be one, before any work is done."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        probe = out / ".writable"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise Problem(f"{out}: results cannot be written here ({error.strerror})") from None


def main() -> None:
    """Run the command line; every problem is one line on standard error."""
    try:
        sys.exit(cli.main(standalone_mode=False) or 0)
    except click.exceptions.NoArgsIsHelpError as help_text:
        click.echo(help_text.format_message())
        sys.exit(2)
    except click.ClickException as problem:
        where = getattr(getattr(problem, "ctx", None), "command_path", "labkit")
        click.echo(f"{where}: {' '.join(problem.format_message().split())}", err=True)
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        click.echo("labkit: interrupted; what was finished is kept, and --resume goes on from there", err=True)
        sys.exit(130)
