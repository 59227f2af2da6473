"""What is installed from the package index: the student's part alone, then with the grader, far from this checkout."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from longer import LONG

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
        files = zipfile.ZipFile(wheel).namelist()
        assert {file.split("/")[0] for file in files if ".d" not in file.split("/")[0]} == packages
        assert {f"{package}/py.typed" for package in packages} <= {*files}


LABS = sorted((project.current().root / "solutions").glob("*.ipynb"))
# Runs the cells of notebooks as a student's kernel does, and ends with the name of a cell that raises.
RUN = """
import json, pathlib, sys
from importlib.util import find_spec
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
only, *notebooks = sys.argv[1:]
for notebook in notebooks:
    for cell in json.loads(pathlib.Path(notebook).read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code" and only in ("all", cell["id"]):
            if not shell.run_cell("".join(cell["source"])).success:
                sys.exit(f"{notebook}: {cell['id']}")
print(sorted(filter(find_spec, ("click", "jinja2", "nbclient", "nbformat", "nbval", "pytest", "yaml", "zmq"))))
"""


def test_a_student_needs_no_grader_and_a_new_course_is_graded_with_it(place, constraints):
    """Without the extra `grade`, every lab's setup cell runs, and so do the labs with their solutions and checks."""
    install(place, "", constraints)
    done = run(place, "python", "-c", RUN, "setup", *LABS)
    assert done.returncode == 0 and done.stdout.endswith("[]\n"), done.stdout + done.stderr
    for lab in LABS if LONG else LABS[::3]:
        done = run(place, "python", "-c", RUN, "all", lab)
        assert done.returncode == 0 and done.stdout.endswith("[]\n"), done.stdout + done.stderr
        checks = lab.read_text("utf-8").count('"check(')
        assert checks and done.stdout.count("✔") == checks and "✘" not in done.stdout, done.stdout
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
    """In a bare environment, where no index has labkit: from wheels that are built as the README says."""
    readme = (project.current().root / "grader/src/labkit/authoring/template/course/README.md").read_text("utf-8")
    builds = re.findall(r"^pip (wheel .+)$", readme, re.MULTILINE)
    (wheels,) = re.findall(r"^pip (install .+) jupyterlab$", readme, re.MULTILINE)
    assert len(builds) == 2
    new_course(tmp_path / "demo")
    shutil.copytree(
        project.current().root, tmp_path / "labkit-clone", ignore=shutil.ignore_patterns(".*", "graded", "build")
    )
    usual = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LABKIT", "PYTEST", "COV"))
    }
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "bare"], check=True, timeout=SECONDS)
    quick = f"--quiet --no-compile --constraint {constraints}"

    def in_bare(line: str, where: str = "demo") -> subprocess.CompletedProcess:
        command = f"{tmp_path}/bare/bin/python {line}"
        return subprocess.run(
            command, shell=True, cwd=tmp_path / where, env=usual, capture_output=True, text=True, timeout=SECONDS
        )

    refused = in_bare(f"-m pip install --dry-run -e . {quick}")
    assert refused.returncode == 1 and "No matching distribution found for nblabkit" in refused.stderr
    for line in (*builds, f"{wheels} {quick}", f"install --dry-run -e . {quick}"):
        done = in_bare(f"-m pip {line}")
        assert done.returncode == 0, done.stderr[-3000:]
    done = in_bare('-c "import demo_labs.spread.exercises; from labkit.notebook import check"', where=".")
    assert done.returncode == 0, done.stderr
