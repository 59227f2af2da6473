"""Test the wheels away from this checkout: first with only what students install, then with the grader. All that state a version agree."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import nbformat
import pytest
import yaml
from needs import needs

from labkit.author.source.new import new_course
from labkit.student.model import project

SECONDS = 500  # the package index is slow from some machines
pytestmark = pytest.mark.timeout(2 * SECONDS)


ELSEWHERE = {
    name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LABKIT", "PYTEST", "COV"))
}  # without variables that could lead back to this checkout
INSTALLS = pytest.mark.long("installs the packages into a new environment")


@pytest.fixture(scope="module")
def wheels(once, python_with_pip, package_index) -> Path:
    """A folder with both wheels, built from this checkout once for all test workers."""

    def build(folder: Path) -> None:
        command = [python_with_pip, "-m", "pip", "--disable-pip-version-check", "--quiet", "wheel", "--no-deps"]
        for part in ("", "grader"):
            command_of_part = [*command, "--wheel-dir", folder, project.current().root / part]
            done = subprocess.run(command_of_part, env=ELSEWHERE, capture_output=True, text=True, timeout=SECONDS)
            assert done.returncode == 0, done.stderr[-3000:]

    return once("wheels", build)


@pytest.fixture(scope="module")
def place(tmp_path_factory, wheels) -> Path:
    return new_place(tmp_path_factory.mktemp("installed"), wheels)


def new_place(folder: Path, wheels: Path) -> Path:
    """Make a virtual environment, with the wheels next to it."""
    subprocess.run([sys.executable, "-m", "venv", folder / "env"], check=True, timeout=SECONDS)
    for wheel in wheels.glob("*.whl"):
        shutil.copy(wheel, folder)
    return folder


def run(folder: Path, program: str, *words: object, where: str = ".") -> subprocess.CompletedProcess:
    """Run a program from the folder's environment."""
    line = [str(folder / "env/bin" / program), *map(str, words)]
    return subprocess.run(line, cwd=folder / where, env=ELSEWHERE, capture_output=True, text=True, timeout=SECONDS)


def pip(folder: Path, *words: object) -> None:
    done = run(folder, "python", "-m", "pip", "--disable-pip-version-check", "--quiet", *words)
    assert done.returncode == 0, done.stderr[-3000:]


def install(folder: Path, extras: str, constraints: Path) -> None:
    (labs,), (wheel,) = folder.glob("encoding_labs-*.whl"), folder.glob("nblabkit-*.whl")
    pip(folder, "install", "--no-compile", "--constraint", constraints, f"{wheel}{extras}", labs)


LABS = sorted((project.current().root / "solutions").glob("*.ipynb"))
GRADER = (
    "click",
    "jinja2",
    "nbclient",
    "nbformat",
    "nbval",
    "pytest",
    "yaml",
    "zmq",
)  # packages that only graders have
# Runs the notebooks' cells with IPython, as a kernel does. Stops at the first cell that fails, and names it.
RUN = """
import json, pathlib, sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
only, *notebooks = sys.argv[1:]
for notebook in notebooks:
    for cell in json.loads(pathlib.Path(notebook).read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code" and only in ("all", cell["id"]):
            if not shell.run_cell("".join(cell["source"])).success:
                sys.exit(f"{notebook}: {cell['id']}")
"""
HAS = f"from importlib.util import find_spec; print([*filter(find_spec, {GRADER})])"
WHERE = "import encoding_labs, labkit; print(encoding_labs.__file__, labkit.__file__)"
# Makes imports of the grader's packages fail, because they are installed in the environment of the tests.
WITHOUT = f"""
import importlib.abc, sys
class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, *_):
        if name.partition(".")[0] in {GRADER}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Missing())
"""


@pytest.mark.long("runs every lab's setup cell and one whole lab; another test checks what the wheels contain")
def test_the_wheels_alone_run_the_labs_and_say_what_grading_needs(wheels, tmp_path):
    """Use the unpacked wheels and this environment's packages, but make the grader's packages fail to import."""
    for wheel in wheels.glob("*.whl"):
        zipfile.ZipFile(wheel).extractall(tmp_path)

    def without_the_grader(code: str, *words: object) -> subprocess.CompletedProcess:
        command = [sys.executable, "-c", WITHOUT + code, *map(str, words)]
        own = ELSEWHERE | {"PYTHONPATH": str(tmp_path)}
        return subprocess.run(command, cwd=tmp_path, env=own, capture_output=True, text=True, timeout=SECONDS)

    for cells, labs in (("setup", LABS), ("all", LABS[:1])):
        done = without_the_grader(RUN + WHERE, cells, *labs)
        last = [str(tmp_path / package / "__init__.py") for package in ("encoding_labs", "labkit")]
        assert done.returncode == 0 and done.stdout.split()[-2:] == last, done.stdout + done.stderr
    checks = LABS[0].read_text("utf-8").count('"check(')
    assert checks and done.stdout.count("✔") == checks and "✘" not in done.stdout, done.stdout
    done = without_the_grader("from labkit.__main__ import main\nsys.exit(main())")
    assert done.returncode == 2 and "nblabkit[grade]" in done.stderr and done.stderr.count("\n") == 1


@INSTALLS
@needs("Python 3.12 or older")
def test_the_labs_run_with_the_versions_that_colab_has(wheels, tmp_path):
    """Colab keeps IPython 7.34, and installing another one prints an error there."""
    place = new_place(tmp_path, wheels)
    (place / "colab.txt").write_text("ipython==7.34.0\nipykernel==6.17.1\nnumpy==2.0.2\nmatplotlib==3.10.0\n")
    pip(place, "install", "--requirement", place / "colab.txt")
    install(place, "", place / "colab.txt")
    for lab in LABS:
        done = run(place, "python", "-c", RUN, "all", lab)
        checks = lab.read_text("utf-8").count('"check(')
        assert done.returncode == 0 and done.stdout.count("✔") == checks > 0, f"{lab.name}: {done.stdout[-2000:]}"


@INSTALLS
def test_a_student_needs_no_grader_and_a_new_course_is_graded_with_it(place, constraints):
    """Without the extra `grade`, every lab's setup cell and every solution with its checks still run."""
    install(place, "", constraints)
    done = run(place, "python", "-c", RUN + HAS, "setup", *LABS)
    assert done.returncode == 0 and done.stdout.endswith("[]\n"), done.stdout + done.stderr
    for lab in LABS:
        done = run(place, "python", "-c", RUN + HAS, "all", lab)
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


@INSTALLS
def test_a_new_course_is_released_as_its_readme_says_and_installed_from_the_release(
    constraints, tmp_path, package_index
):
    """labkit is installed from the release, as no package index has it. JupyterLab is left out because it is large."""
    readme = (project.current().root / "grader/src/labkit/author/source/template/course/README.md").read_text("utf-8")
    (command,) = re.findall(r"^labkit (release .+)$", readme, re.MULTILINE)
    new_course(tmp_path / "demo")
    for words in ("build", command):
        line = [sys.executable, "-m", "labkit", *words.split()]
        done = subprocess.run(
            line, cwd=tmp_path / "demo", env=ELSEWHERE, capture_output=True, text=True, timeout=SECONDS
        )
        assert done.returncode == 0, done.stderr
    release = tmp_path / "demo" / command.split()[-1]
    listed = release / "requirements.txt"
    listed.write_text("".join(line for line in listed.read_text().splitlines(True) if "jupyterlab" not in line))
    subprocess.run([sys.executable, "-m", "venv", release / "env"], check=True, timeout=SECONDS)
    pip(release, "install", "--no-compile", "--constraint", constraints, "-r", listed.name)
    done = run(release, "python", "-c", "import demo_labs.spread.exercises; from labkit.notebook import check")
    assert done.returncode == 0, done.stderr


ROOT = project.current().root


def _version(path: str) -> str:
    return tomllib.loads((ROOT / path).read_text("utf-8"))["project"]["version"]


def test_course_grader_changelog_and_citation_have_one_version():
    version = _version("pyproject.toml")
    assert _version("grader/pyproject.toml") == version
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))["version"] == version
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert newest and newest[1] == version


def test_the_course_takes_the_grader_of_its_version():
    required = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    assert f"nblabkit=={_version('grader/pyproject.toml')}" in required


def test_every_lab_states_the_version_in_its_title_and_in_what_colab_installs():
    labs = sorted(project.current().labs.glob("*.ipynb"))
    assert labs
    for path in labs:
        cells = {cell.id: cell.source for cell in nbformat.read(path, 4).cells}
        assert f"<small>Version {_version('pyproject.toml')}</small>" in cells["title"], path.name
        assert cells["setup"].partition("\n")[0].endswith(f" %pip install encoding-labs=={_version('pyproject.toml')}")
