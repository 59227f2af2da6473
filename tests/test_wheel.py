"""What is installed from the package index: the student's part alone, then with the grader, far from this checkout."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from labkit import project

SECONDS = 500  # the index is far away from some machines
pytestmark = pytest.mark.timeout(2 * SECONDS)


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    """A folder with an environment of its own in it, and a wheel of this checkout."""
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", folder / "env"], check=True, timeout=SECONDS)
    pip(folder, "wheel", "--no-deps", "--wheel-dir", folder, project.current().root)
    return folder


def run(folder: Path, program: str, *words: object, where: str = ".") -> subprocess.CompletedProcess:
    """A program of that environment, with nothing in its surroundings that leads to this checkout."""
    usual = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LABKIT", "PYTEST", "COV"))
    }
    line = [str(folder / "env/bin" / program), *map(str, words)]
    return subprocess.run(line, cwd=folder / where, env=usual, capture_output=True, text=True, timeout=SECONDS)


def pip(folder: Path, *words: object) -> None:
    done = run(folder, "python", "-m", "pip", "--disable-pip-version-check", "--quiet", *words)
    assert done.returncode == 0, done.stderr[-3000:]


def install(folder: Path, extras: str) -> None:
    (wheel,) = folder.glob("nblabkit-*.whl")
    pip(
        folder,
        "install",
        "--no-compile",
        "--constraint",
        project.current().root / "constraints.txt",
        f"{wheel}{extras}",
    )


IMPORTS = """
import encoding_labs.heatmap, encoding_labs.build_the_table.look, sys
from labkit.notebook import check, reveal, show
check("frequencies", namespace={})
check("draw_heatmap", namespace={"draw_heatmap": lambda table, ax: None})
print(sorted(name for name in ("click", "nbformat", "nbval", "pytest", "zmq") if name in sys.modules))
"""


def test_a_student_needs_no_grader_and_a_new_course_is_graded_with_it(place):
    install(place, "")
    done = run(place, "python", "-c", IMPORTS)
    assert "✘ frequencies: no answer of that name" in done.stdout and "✘ draw_heatmap: " in done.stdout, done.stderr
    assert done.stdout.endswith("[]\n")
    done = run(place, "labkit", "--help")
    assert done.returncode == 2 and "nblabkit[grade]" in done.stderr and done.stderr.count("\n") == 1

    install(place, "[grade]")
    done = run(place, "labkit", "doctor")
    assert done.returncode == 2 and "labkit new" in done.stderr and done.stderr.count("\n") == 1
    for words in (["new", "demo"], ["build", "--course", "demo"]):
        done = run(place, "labkit", *words)
        assert done.returncode == 0, done.stderr
    done = run(place, "labkit", "grade", "examples/class", "--out", "out", where="demo")
    assert done.returncode == 0, done.stderr
    rows = (place / "demo/out/gradebook.csv").read_text("utf-8").splitlines()
    assert [row.split(",")[:5] for row in rows[1:]] == [
        ["ada", "01_spread", "graded", "4", "6"],
        ["bob", "01_spread", "graded", "1", "6"],
        ["cleo", "01_spread", "graded", "0", "6"],
    ]
    for program, *words in (("labkit", "doctor"), ("pytest", "-q", "-p", "no:cacheprovider")):
        done = run(place, program, *words, where="demo")
        assert done.returncode == 0, done.stdout + done.stderr
