"""`labkit build`: everything that is generated, from the sources in solutions/ and the reference of the autograder."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

from labkit import project
from labkit.authoring import percent as authoring
from labkit.course import Lab
from labkit.notebook import expected


def build(lab: Lab, into: Path = project.ROOT) -> list[Path]:
    """Write the expected data, the student notebook and the executed solution of one lab; return their paths."""
    written = []
    for path, text in generated(lab):
        target = into / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
        written.append(target)
    return written


def generated(lab: Lab) -> Iterator[tuple[Path, str]]:
    """Each generated file's path in the project, and its text. The expected data come first: the solution needs them."""
    yield project.expected(lab.name).relative_to(project.ROOT), expected.expected_text(lab, reference_of(lab))
    source = authoring.read_source(project.SOLUTIONS / f"{lab.name}.py", lab)
    yield Path("labs") / f"{lab.name}.ipynb", authoring.text_of(authoring.student_notebook(source))
    solution = authoring.execute(authoring.solution_notebook(source), project.SOLUTIONS)
    yield Path("solutions") / f"{lab.name}.ipynb", authoring.text_of(solution)


def reference_of(lab: Lab) -> object:
    """The autograder's reference module of a lab, loaded from its file: labkit itself never imports it."""
    path = project.AUTOGRADER / "reference" / f"{lab.name[3:]}.py"
    spec = importlib.util.spec_from_file_location(f"reference_{lab.name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
