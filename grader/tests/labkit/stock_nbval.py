"""Run stock nbval on a notebook with its own outputs."""

import os
import subprocess
import sys

from labkit.student.model import project


def passes_stock_nbval(path) -> bool:
    command = [sys.executable, "-m", "pytest", "--nbval", "-q", "-p", "no:cacheprovider", "-o", "addopts=", str(path)]
    if (here := project.current().solutions / "nbval.cfg").exists():
        command += ["--nbval-sanitize-with", str(here)]
    done = subprocess.run(command, capture_output=True, cwd=path.parent, env=_environment(), timeout=120)
    return done.returncode == 0


def executed(path):
    """The notebook after its student ran it, so that all outputs are the student's."""
    command = [sys.executable, "-m", "jupyter", "nbconvert", "--to", "notebook", "--execute", "--inplace", str(path)]
    subprocess.run(command, check=True, capture_output=True, env=_environment(), timeout=120)
    return path


def _environment() -> dict[str, str]:
    """A stock kernel's environment, with paths to the current course's modules."""
    return {**os.environ, "PYTHONPATH": str(project.current().source)}
