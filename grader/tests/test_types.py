"""Packages are never dropped from type checking, and the wheels declare their types."""

import subprocess
import sys
import tomllib

from test_layers import LABKIT, ROOMS

from labkit.student.model import project

CHECKED = {
    "student.model", "student.judging", "student.calls", "grade.intake", "grade.judge", "grade.batch", "desk.reading",
}  # fmt: skip
ROOT = project.current().root


def test_no_room_was_removed_from_the_list_and_every_room_on_it_exists():
    stated = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["mypy"]
    rooms = {name.removeprefix("labkit.") for name in stated["packages"]}
    assert stated["strict"] and rooms >= CHECKED
    assert rooms <= set(ROOMS) and all(LABKIT.joinpath(*room.split(".")).is_dir() for room in rooms)


MISTYPED = """
from labkit.student.model.text import clean

def plain(x):
    return x

def short() -> str:
    return len(clean(1))
"""


def test_wrong_types_are_reported(tmp_path):
    """mypy's settings find mistakes, including a file's misuse of a function from another package."""
    (tmp_path / "mistyped.py").write_text(MISTYPED)
    line = [sys.executable, "-m", "mypy", "--config-file", ROOT / "pyproject.toml", "--cache-dir", tmp_path / "cache"]
    done = subprocess.run([*line, tmp_path / "mistyped.py"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1 and "Found 3 errors" in done.stdout, done.stdout + done.stderr
    assert all(code in done.stdout for code in ("[no-untyped-def]", "[return-value]", "[arg-type]"))
