"""Submissions of strangers are run where they are held in, or where somebody said that they need not be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty

from labkit.model.budgets import Budgets
from labkit.model.project import Project
from labkit.sandbox.confine import best_layer
from labkit.sandbox.faults import MachineFailed

OPTION = "--allow-unsandboxed"
REFUSED = (
    "submissions cannot be isolated on this machine, so one could read files and the network as you can: "
    f"see `labkit doctor`, or say {OPTION}"
)

LEAKS = (
    "{layer} does not isolate submissions on this machine, where it leaves possible: {possible}; "
    f"see `labkit doctor`, or say {OPTION}"
)


def refusal(project: Project, paths: Iterable[Path]) -> str | None:
    """Why these files are not run here unless it is allowed; None where they are held in, or are the course's own.

    Errors: ValueError when the environment asks for a layer that there is not.
    """
    if best_layer() != "limits":
        return None
    own = [project.examples.resolve(), project.solutions.resolve()]
    if all(any(path.resolve().is_relative_to(folder) for folder in own) for path in paths):
        return None
    return REFUSED


def leaks(project: Project, lab: str, budgets: Budgets) -> Iterator[str]:
    """What a kernel like those of this lab's submissions can do although the layer in force refuses it, in a line."""
    from labkit.kernel import probes

    if (layer := best_layer()) == "limits":  # promises nothing
        return
    with suppress(MachineFailed, RuntimeError, Empty):  # no kernel to try: no submission gets one either
        if possible := probes.succeeded(project, project.course.environment_of(lab), budgets):
            yield LEAKS.format(layer=layer, possible=", ".join(possible))
