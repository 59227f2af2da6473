"""Submissions of strangers are run where they are held in, or where somebody said that they need not be."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from labkit import project
from labkit.sandbox.confine import best_layer

OPTION = "--allow-unsandboxed"
REFUSED = (
    "submissions cannot be isolated on this machine, so one could read files and the network as you can: "
    f"see `labkit doctor`, or say {OPTION}"
)


def refusal(paths: Iterable[Path]) -> str | None:
    """Why these files are not run here unless it is allowed; None where they are held in, or are the course's own.

    Errors: ValueError when the environment asks for a layer that there is not.
    """
    if best_layer() != "limits":
        return None
    here = project.current()
    own = [here.examples.resolve(), here.solutions.resolve()]
    if all(any(path.resolve().is_relative_to(folder) for folder in own) for path in paths):
        return None
    return REFUSED
