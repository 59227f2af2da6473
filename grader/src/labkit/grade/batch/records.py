"""Grade a class without a desk: from files to one record of facts for each submission."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from labkit.grade.batch.course_check import wrong_parts
from labkit.grade.batch.grade import grade_class
from labkit.grade.batch.settings import Settings
from labkit.grade.intake.archives import extraction_directory
from labkit.grade.intake.choose import choose
from labkit.grade.intake.discover import discover
from labkit.grade.intake.files import most_of_notebook
from labkit.grade.judge.consent import check_isolation
from labkit.grade.judge.records import facts_of
from labkit.student.model.errors import UserError
from labkit.student.model.project import use


def records(
    paths: Sequence[str | PathLike[str]], seed: int, course: str | PathLike[str], jobs: int
) -> Iterator[dict[str, Any]]:
    """Yield one record for each submission. Errors: see `labkit.grade.grade`."""
    project = use(Path(course))
    settings = Settings(jobs, seed, project.own_budgets)
    for fault in wrong_parts(project, project.course.names):
        raise UserError(fault)
    largest = most_of_notebook(settings.budgets.submission_bytes)
    with tempfile.TemporaryDirectory(prefix="labkit-") as out, extraction_directory(largest) as directory:
        files = discover(project, map(Path, paths), None, directory)
        check_isolation(project, (each.path for each in files), unsandboxed=False)
        submissions = choose(project, files, settings.budgets)
        yield from map(facts_of, grade_class(project, submissions, Path(out), settings, lambda _: None))
