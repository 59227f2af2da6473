"""What is installed from the package index: the student's part alone, then with the grader, far from this checkout."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from labkit.authoring.new import new_course
from labkit.model import project

SECONDS = 500  # the index is far away from some machines
pytestmark = pytest.mark.timeout(2 * SECONDS)


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    """A folder with an environment of its own in it, and a wheel of this checkout."""
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", folder / "env"], check=True, timeout=SECONDS)
    for part in ("", "grader"):
        pip(folder, "wheel", "--no-deps", "--wheel-dir", folder, project.current().root / part)
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


def install(folder: Path, extras: str, constraints: Path) -> None:
    (labs,), (wheel,) = folder.glob("encoding_labs-*.whl"), folder.glob("nblabkit-*.whl")
    pip(
        folder,
        "install",
        "--no-compile",
        "--constraint",
        constraints,
        f"{wheel}{extras}",
        labs,
    )


def test_each_wheel_holds_its_own_packages(place):
    for name, packages in (("encoding_labs", {"encoding_labs", "minimodel"}), ("nblabkit", {"labkit"})):
        (wheel,) = place.glob(f"{name}-*.whl")
        tops = {file.split("/")[0] for file in zipfile.ZipFile(wheel).namelist()}
        assert {top for top in tops if ".d" not in top} == packages


IMPORTS = """
import encoding_labs.heatmap, encoding_labs.build_the_table.look, sys
from labkit.notebook import check, reveal, show
check("frequencies", namespace={})
check("draw_heatmap", namespace={"draw_heatmap": lambda table, ax: None})
print(sorted(name for name in ("click", "nbformat", "nbval", "pytest", "zmq") if name in sys.modules))
"""


def test_a_student_needs_no_grader_and_a_new_course_is_graded_with_it(place, constraints):
    install(place, "", constraints)
    done = run(place, "python", "-c", IMPORTS)
    assert "✘ frequencies: no answer of that name" in done.stdout and "✘ draw_heatmap: " in done.stdout, done.stderr
    assert done.stdout.endswith("[]\n")
    done = run(place, "labkit", "--help")
    assert done.returncode == 2 and "nblabkit[grade]" in done.stderr and done.stderr.count("\n") == 1

    install(place, "[grade]", constraints)
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


def test_a_new_course_is_installed_as_its_readme_says(place, constraints, tmp_path):
    """In a bare environment, where no index has labkit; from a wheel, and as far as pip resolves it from a clone."""
    readme = (project.current().root / "grader/src/labkit/authoring/template/README.md").read_text("utf-8")
    commands = re.findall(r"^(pip install \S+) -e \.", readme, re.MULTILINE)
    assert len(commands) == 2
    new_course(tmp_path / "demo")
    shutil.copytree(
        project.current().root, tmp_path / "labkit-clone", ignore=shutil.ignore_patterns(".*", "graded", "build")
    )
    shutil.copy(*place.glob("nblabkit-*.whl"), tmp_path)
    usual = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LABKIT", "PYTEST", "COV"))
    }
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "bare"], check=True, timeout=SECONDS)
    quick = f"-e . --quiet --no-compile --constraint {constraints}"

    def in_bare(line: str, where: str = "demo") -> subprocess.CompletedProcess:
        command = f"{tmp_path}/bare/bin/python {line}"
        return subprocess.run(
            command, shell=True, cwd=tmp_path / where, env=usual, capture_output=True, text=True, timeout=SECONDS
        )

    refused = in_bare(f"-m pip install --dry-run {quick}")
    assert refused.returncode == 1 and "No matching distribution found for nblabkit" in refused.stderr
    wheel, clone = commands
    for line in (f"-m {clone} --dry-run {quick}", f"-m {wheel} {quick}"):
        done = in_bare(line)
        assert done.returncode == 0, done.stderr[-3000:]
    done = in_bare('-c "import demo_labs.spread.exercises; from labkit.notebook import check"', where=".")
    assert done.returncode == 0, done.stderr
