"""Install and run the other tools. Each tool is pinned and has its own environment, which also contains this project, because the labs import it."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

from classroom import ROOT
from measure import LONGEST

ENVIRONMENTS = Path(__file__).resolve().parent / ".venvs"
PINNED = {
    "nbgrader": ["nbgrader==0.9.6"],
    "otter-grader": ["otter-grader==7.0.0"],
    "pytest-prairielearn-grader": [
        "pytest-prairielearn-grader[notebook]==0.3.1",
        *("networkx==3.6.1", "pandas==3.1.1", "plot-serializer==0.2.3"),  # imported by the tool but not declared
    ],
}


def install(*names: str) -> None:
    """Install the tools (default: PINNED) that are missing or have new pins. Packages that labkit also uses get labkit's versions."""
    pins, pyproject = ENVIRONMENTS / "constraints.txt", ROOT / "pyproject.toml"
    deciding = max(path.stat().st_mtime for path in (pyproject, ROOT / "grader/pyproject.toml", Path(__file__)))
    for peer in names or PINNED:
        pinned = PINNED[peer]
        ready = programs(peer).parent / f"{pinned[0]}.ready"
        if ready.exists() and ready.stat().st_mtime > deciding:
            continue
        begin(peer)
        pins.write_text("\n".join(tomllib.loads(pyproject.read_text("utf-8"))["tool"]["uv"]["constraint-dependencies"]))
        pip = [programs(peer) / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        course = f"{ROOT}[grade]"  # nbgrader's cells call its tests
        pip += ["--constraint", pins, *pinned, "--editable", str(ROOT / "grader"), course]
        subprocess.run(pip, check=True, timeout=LONGEST)
        ready.touch()


def begin(peer: str) -> Path:
    """Create a tool's virtual environment. Returns its site-packages folder."""
    subprocess.run([sys.executable, "-m", "venv", programs(peer).parent], check=True, timeout=600)
    (packages,) = programs(peer).parent.glob("lib/python*/site-packages")
    return packages


def programs(peer: str) -> Path:
    return ENVIRONMENTS / peer / "bin"


def command(peer: str, words: list[str]) -> list[str]:
    """Make a command that runs with the tool's programs first on the PATH, because these programs call each other."""
    return ["env", f"PATH={programs(peer)}{os.pathsep}{os.environ['PATH']}", *words]


def run(peer: str, words: list[str], folder: Path) -> None:
    """Run a tool's command. Errors: RuntimeError, with its output."""
    done = subprocess.run(command(peer, words), cwd=folder, capture_output=True, text=True, timeout=LONGEST)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(words)}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
