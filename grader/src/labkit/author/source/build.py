"""`labkit build`: generate notebooks and expected data from the sources in solutions/ and the reference answers."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from labkit.author.source import percent as authoring
from labkit.author.source.translate import generated_editions
from labkit.author.source.wrong_formulas import check_words, stored_mistakes
from labkit.student.judging.words import load
from labkit.student.model.course import Lab
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import in_a_line
from labkit.student.notebook import expected


def build(project: Project, lab: Lab, into: Path | None = None) -> list[Path]:
    """Write the expected data, the student notebook and the executed solution of one lab; return their paths."""
    return [*write(generated(project, lab), into or project.root)]


def write(files: Iterable[tuple[Path, str]], root: Path) -> Iterator[Path]:
    """Write these texts to their paths below a folder, and yield the paths."""
    for path, text in files:
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
        yield target


def generated(project: Project, lab: Lab) -> Iterator[tuple[Path, str]]:
    """Yield the path and text of each generated file. The expected data comes first, because running a solution needs it."""
    name, expected_data = f"{lab.name}.ipynb", project.course.expected_of(lab.name)
    students, graders = _expected_texts(project, lab)
    yield expected_data.relative_to(project.root), students
    if any(exercise.graded_only for exercise in lab.exercises):
        yield project.expected_of(lab.name).relative_to(project.root), graders
    source = authoring.framed(project, authoring.read_source(project.solutions / f"{lab.name}.py", lab))
    yield (project.labs / name).relative_to(project.root), authoring.text_of(authoring.student_notebook(source))
    yield from generated_editions(project, lab)
    solution = authoring.execute(authoring.solution_notebook(source), project.solutions, project.source)
    yield (project.solutions / name).relative_to(project.root), authoring.text_of(solution)


def _expected_texts(project: Project, lab: Lab) -> tuple[str, str]:
    """Compute a lab's expected data, as a file for students and a file for graders. Errors: UserError if the reference fails."""
    path = project.reference_of(lab.name)
    if not path.exists():
        raise UserError(f"{project.below(path)} is missing: write it, because it defines the right answers")
    reference = _run(project, path, lambda: _module_at(project, path))
    load(project.course)
    mistakes, formulas = path.with_name("mistakes.py"), {}
    if mistakes.exists():
        wrong = _run(project, mistakes, lambda: _module_at(project, mistakes).WRONG)
        formulas = _run(project, mistakes, lambda: stored_mistakes(lab, wrong, reference))
        check_words(project, lab, wrong)
    students, graders = (
        _run(project, path, lambda: expected.expected_text(lab, reference, formulas, graded_only=half))
        for half in (False, True)
    )
    return students, graders


def _run(project: Project, path: Path, compute: Callable[[], Any]) -> Any:
    """Run the course's own code, which may raise anything. Errors: UserError, naming the file."""
    try:
        return compute()
    except UserError as error:
        raise UserError(f"{project.below(path)}: {error}") from None
    except Exception as error:
        raise UserError(f"{project.below(path)}: {in_a_line(error)}") from error


def _module_at(project: Project, path: Path) -> Any:
    package = project.autograder
    if str(package.parent) not in sys.path:
        sys.path.insert(0, str(package.parent))  # so that the file can import neighbouring modules, as under pytest
    spec = importlib.util.spec_from_file_location(f"{package.name}.{path.parent.name}.{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
