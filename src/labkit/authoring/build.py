"""`labkit build`: everything that is generated, from the sources in solutions/ and the reference of the autograder."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

from labkit import course, project
from labkit.authoring import percent as authoring
from labkit.course import Lab
from labkit.notebook import expected


def build(lab: Lab, into: Path | None = None) -> list[Path]:
    """Write the expected data, the student notebook and the executed solution of one lab; return their paths."""
    written = []
    for path, text in generated(lab):
        target = (into or project.current().root) / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
        written.append(target)
    return written


def generated(lab: Lab) -> Iterator[tuple[Path, str]]:
    """Each generated file's path in the project, and its text. The expected data come first: the solution needs them."""
    here, name = project.current(), f"{lab.name}.ipynb"
    expected_data = course.current().expected_of(lab.name)
    yield expected_data.relative_to(here.root), expected.expected_text(lab, reference_of(lab))
    source = authoring.read_source(here.solutions / f"{lab.name}.py", lab)
    yield (here.labs / name).relative_to(here.root), authoring.text_of(authoring.student_notebook(source))
    solution = authoring.execute(authoring.solution_notebook(source), here.solutions, here.source)
    yield (here.solutions / name).relative_to(here.root), authoring.text_of(solution)


def reference_of(lab: Lab) -> object:
    """The autograder's reference module of a lab, loaded from its file: labkit itself never imports it."""
    path = project.current().autograder / "reference" / f"{lab.name[3:]}.py"
    spec = importlib.util.spec_from_file_location(f"reference_{lab.name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
