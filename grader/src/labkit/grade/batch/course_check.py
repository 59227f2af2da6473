"""Check a lab before grading, so that no student loses points because of a course error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from labkit.grade.batch.store import digest_of_file
from labkit.grade.judge.points import wrong_source
from labkit.grade.judge.results import NOT_JUDGED, Result
from labkit.student.judging.words import load
from labkit.student.model.course import Course
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project


def wrong_parts(project: Project, names: Iterable[str]) -> Iterator[str]:
    """Yield a message for each of the labs' files that is missing or invalid. Imports nothing from the course."""
    for path in changed_files(project):
        yield f"{project.below(path)} has changed since it was locked: restore it, or run `labkit lock` if you changed it on purpose"
    for name in names:
        parts = (
            (project.tests_of(name), "write it: it contains the lab's checks"),
            (project.autograder_of(name) / "__init__.py", "write it, it may be empty: it makes the folder a package"),
            (project.labs / f"{name}.ipynb", "run `labkit build`"),
            (project.solutions / f"{name}.ipynb", "run `labkit build`"),
            (project.course.expected_of(name), "run `labkit build`"),
        )
        for path, mend in parts:
            if not path.exists():
                yield f"{project.below(path)} is missing: {mend}"
            elif path.suffix == ".py" and (wrong := wrong_source(project, path)):
                yield wrong


def must_be_right(course: Course, result: Result) -> None:
    """Check that the solution loses no points, because every submission would lose them too. Errors: UserError."""
    wrong = next((check for check in result.checks if check.outcome not in ("passed", "manual")), None)
    if result.status not in ("graded", NOT_JUDGED):
        raise UserError(f"{result.lab}: the solution cannot be graded within these budgets: {result.why()}")
    if wrong and result.status == "graded":
        load(course)
        why = f"{wrong.name} reports: {wrong.message()}" if wrong.findings else f"{wrong.name} is {wrong.outcome}"
        raise UserError(f"{result.lab}: the solution does not pass its own checks of {wrong.exercise}; {why}")


def changed_files(project: Project) -> Iterator[Path]:
    """Yield the locked files that have changed. A digest of each is stored next to it."""
    for path in (project.root / name for name in project.locked):
        stored = _digest_file(path)
        if not path.exists() or not stored.exists() or stored.read_text("utf-8").split()[:1] != [digest_of_file(path)]:
            yield path


def lock(project: Project) -> dict[Path, str]:
    """Write each locked file's current digest next to it, in the format that `sha256sum --check` reads."""
    digests = {path: digest_of_file(path) for path in (project.root / name for name in project.locked)}
    for path, digest in digests.items():
        _digest_file(path).write_text(f"{digest}  {path.name}\n", "utf-8")
    return digests


def _digest_file(path: Path) -> Path:
    return path.with_name(f"{path.name}.sha256")
