"""Run submissions only where they can be isolated, or where the instructor allows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty

from labkit.grade.sandbox.confine import best_layer
from labkit.grade.sandbox.faults import MachineFailed
from labkit.student.model.budgets import Budgets
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project

OPTION = "--allow-unsandboxed"
REFUSED = (
    "submissions cannot be isolated on this machine, so they could use your files and network with your permissions: "
    f"see `labkit doctor`, or use {OPTION}"
)

LEAKS = (
    "{layer} does not isolate submissions on this machine; a submission can still {possible}; "
    f"see `labkit doctor`, or use {OPTION}"
)


def check_isolation(project: Project, paths: Iterable[Path | None], unsandboxed: bool) -> None:
    """Check that kernels are isolated, that these files belong to the course, or that the user allowed this. Errors: UserError."""
    if best_layer() != "limits" or unsandboxed:
        return
    own = [project.examples.resolve(), project.solutions.resolve()]
    if not all(any(path.resolve().is_relative_to(folder) for folder in own) for path in paths if path):
        raise UserError(REFUSED)


def leaks(project: Project, lab: str, budgets: Budgets) -> Iterator[str]:
    """Yield a message if a kernel of this lab can do anything that the isolation layer should prevent."""
    from labkit.grade.kernel import probes

    if (layer := best_layer()) == "limits":  # this layer promises no isolation
        return
    with suppress(MachineFailed, RuntimeError, Empty):  # if no kernel starts here, no submission can run either
        if possible := probes.succeeded(project, project.course.environment_of(lab), budgets):
            yield LEAKS.format(layer=layer, possible=", ".join(possible))
