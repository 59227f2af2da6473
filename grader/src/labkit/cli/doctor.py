"""`labkit doctor`: check the installation, the course, and the isolation of kernels."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import click

from labkit.cli.options import InCourse
from labkit.grade.batch.course_check import changed_files
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import amount

Seen = tuple[bool, str]  # whether the check passed, and what was found or what to do


@click.command(cls=InCourse)
def doctor(project: Project) -> None:
    """Check the installation and the course, and print what to fix."""
    sound = True
    for good, text in _examined(project):
        sound &= good
        click.echo(f"{'✔' if good else '✘'} {text}")
    sys.exit(0 if sound else 1)


def _examined(project: Project) -> Iterator[Seen]:
    yield sys.version_info >= (3, 11), f"Python {sys.version.split()[0]} (3.11 or newer is needed)"
    yield from _packages()
    yield _locked_files(project)
    yield _kernel(project)
    yield _course(project)
    yield from _editions(project)
    yield _isolation(project)
    yield _memory()


def _packages() -> Iterator[Seen]:
    from importlib.metadata import PackageNotFoundError, requires, version

    from packaging.requirements import Requirement

    wrong = []
    every = (Requirement(line) for line in requires("nblabkit") or ())
    needed = [each for each in every if not each.marker or each.marker.evaluate({"extra": "grade"})]
    for requirement in needed:
        try:
            found = version(requirement.name)
            if not requirement.specifier.contains(found, prereleases=True):
                wrong.append(f"{requirement.name} {found} (needs {requirement.specifier})")
        except PackageNotFoundError:
            wrong.append(f"{requirement.name} (missing)")
    text = f"all {len(needed)} required packages are installed in suitable versions"
    yield not wrong, text if not wrong else f"run `make env`: {', '.join(wrong)}"


def _locked_files(project: Project) -> Seen:
    changed = [project.below(path) for path in changed_files(project)]
    if changed:
        return False, f"changed locked files: {', '.join(changed)}; undo the changes, or keep them with `labkit lock`"
    return True, f"locked and unchanged: {', '.join(project.locked)}" if project.locked else "no files are locked"


def _course(project: Project) -> Seen:
    """Check that all parts of the course exist, that its tests run, and that its solutions pass them."""
    from labkit.grade.batch.course_check import must_be_right, wrong_parts
    from labkit.grade.judge.results import CourseCheck, Task

    names = project.course.names
    faults: list[str] = list(wrong_parts(project, names))
    if not faults:
        from labkit.grade.intake.choose import solution_of
        from labkit.grade.judge.judge import judge_each

        answers: list = []
        judge_each(project, [CourseCheck(names), *(Task(solution_of(project, name)) for name in names)], answers.append)
        faults = answers[0]
        for result in answers[1:]:
            try:
                must_be_right(project.course, result)
            except UserError as error:
                faults.append(str(error))
    good = f"all labs can be graded, and every solution passes its lab's checks: {', '.join(names)}"
    return not faults, "\n  ".join(faults) or good


def _editions(project: Project) -> Iterator[Seen]:
    """Count the translated labs. An outdated translation is an error; a missing one is not."""
    from labkit.author.source.translate import editions_of, faults

    for language in project.editions:
        labs = project.course.labs.values()
        missing = [lab.name for lab in labs if language not in editions_of(project, lab)]
        stale = [fault for lab in labs if lab.name not in missing for fault in faults(project, lab, language)]
        left = [f"not translated yet: {', '.join(missing)}; use `labkit translate`"] if missing else []
        text = f"{len(labs) - len(missing)} of {len(labs)} labs are translated into {language}"
        yield not stale, "\n  ".join((text, *left, *stale))


def _kernel(project: Project) -> Seen:
    """Start a kernel the way grading does, and run one line of code in it."""
    from labkit.grade.kernel.forked import start_kernel
    from labkit.grade.kernel.nbval_bridge import execute
    from labkit.student.model.budgets import Budgets
    from labkit.student.model.course import Environment

    try:
        kernel = start_kernel(project, Environment(), Budgets())
        try:
            outputs = execute(kernel, "print(6 * 7)", 10.0)
        finally:
            kernel.stop()
    except Exception as error:
        return False, f"cannot start a kernel for submissions: {type(error).__name__}: {error}"
    good = any(output.get("text") == "42\n" for output in outputs)
    return good, f"kernels for submissions start{' and run code' if good else ', but do not run code correctly'}"


def _isolation(project: Project) -> Seen:
    """Report the isolation layer, and try from inside a kernel what it must prevent. The layer `limits` isolates nothing."""
    from labkit.grade.kernel import probes
    from labkit.grade.sandbox.confine import best_layer

    try:
        layer, succeeded = best_layer(), probes.succeeded(project)
    except Exception as error:
        return False, f"kernel isolation could not be tested: {type(error).__name__}: {error}"
    text = f"kernels are isolated by {layer}: {probes.MEANING[layer]}"
    refused = [name for name in probes.attempts(project) if name not in succeeded]
    tried = "; ".join(
        f"{what}: {', '.join(names)}" for what, names in (("refused", refused), ("possible", succeeded)) if names
    )
    hint = probes.better()
    return layer == "limits" or not succeeded, f"{text}\n  {tried}" + (f"\n  better: {hint}" if hint else "")


def _memory() -> Seen:
    """Compute how many submissions fit into memory at once. `labkit grade` runs at most that many."""
    from labkit.grade.batch.local_executor import fitting
    from labkit.grade.sandbox.faults import memory_left
    from labkit.student.model.budgets import MIB, Budgets

    if (memory := memory_left()) is None:
        return True, "free memory is unknown on this system; lower --jobs if memory runs out"
    jobs, share = fitting(os.cpu_count() or 1, Budgets(), memory)
    each = f", each with at most {share / MIB:,.0f} MiB" if share else ""
    submissions = amount(jobs, "submission")
    return True, f"{memory / MIB:,.0f} MiB of memory is free, enough for {submissions} at once{each}"
