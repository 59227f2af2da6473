"""The release for students contains no answers or other grader-only content, and works in a new environment."""

import json
import os
import re
import subprocess
import sys
import zipfile

import pytest

from encoding_labs import COURSE
from labkit.author.release.students import write_release
from labkit.author.source import percent
from labkit.author.source.new import TEMPLATES
from labkit.student.model import project

ROOT = project.current().root
SECONDS = 500  # the package index is slow from some machines


def code_lines(text: str) -> set[str]:
    """Lines of code that are long and specific enough to recognize, without imports, comments and definitions."""
    lines = {" ".join(line.split()) for line in text.splitlines()}
    return {
        line
        for line in lines
        if len(line) >= 25
        and not re.match(r"(from|import|#|\"\"\"|def \w+\(|class |@)", line)
        and re.search(r"[=(\[]", line)
    }


def numbers_in(value: object) -> set[str]:
    """The floats of at least eight characters in parsed JSON, as text."""
    match value:
        case dict():
            return {number for each in value.values() for number in numbers_in(each)}
        case list():
            return {number for each in value for number in numbers_in(each)}
        case float():
            return {repr(value)} if len(repr(value).strip("-0.")) >= 8 else set()
    return set()


@pytest.fixture(scope="module")
def released(tmp_path_factory) -> str:
    """The text of every file in the release, including those in the wheels, with runs of white space replaced by one space."""
    folder = tmp_path_factory.mktemp("release")
    write_release(project.current(), list(COURSE.labs.values()), folder)
    for wheel in (folder / "wheels").glob("*.whl"):
        zipfile.ZipFile(wheel).extractall(folder / wheel.stem)
        wheel.unlink()
    texts = [path.read_text("utf-8") for path in sorted(folder.rglob("*")) if path.is_file()]
    for path in folder.rglob("*.ipynb"):  # the code itself, without JSON escapes
        texts += ["".join(cell["source"]) for cell in json.loads(path.read_bytes())["cells"]]
    return "\n".join(" ".join(text.split()) for text in texts)


# Students have the locked module, which computes lab 01's table, and labkit with the example course of `labkit new`.
def public_lines() -> set[str]:
    public = [*(project.current().source / "minimodel").rglob("*.py"), *(TEMPLATES / "course").rglob("*.py")]
    return {line for path in public for line in code_lines(path.read_text("utf-8"))}


# Lines that are in graders' files but may also be in the release, because they give no answer away.
ALSO_PUBLIC = {
    "even = np.arange(0, d, 2)",  # in a hint
    "grown = np.exp(scores - scores.max(axis=1, keepdims=True))",  # in the softmax of lab 08's experiment
    "return grown / grown.sum(axis=1, keepdims=True)",
    "positions = np.asarray(positions)",
    "return np.stack([np.sin(angle), np.cos(angle)], axis=-1)",
    "second = omega[min(1, omega.size - 1)]",  # a number for feedback
    "turns = wavelengths(d, base)",  # calls the student's answer
    'with np.errstate(all="ignore"):',
}


def test_no_line_of_a_solution_is_released(released):
    lines = set()
    for source in sorted(project.current().solutions.glob("*.py")):
        read = percent.read_source(source, COURSE.labs[source.stem])
        lines |= {
            line
            for answer in percent.answers_in("\n".join(cell.source for cell in read.cells))
            for line in code_lines(answer)
        }
    assert len(lines) > 100
    assert sorted(line for line in lines - public_lines() if line in released) == []


def test_no_line_of_a_hidden_test_a_reference_or_a_wrong_formula_is_released(released):
    lines = {}
    for path in project.current().autograder.rglob("*.py"):
        if "samples" in path.relative_to(ROOT).as_posix():
            continue  # sample answers in many styles, with common lines of NumPy
        lines |= {line: path.relative_to(ROOT) for line in code_lines(path.read_text("utf-8"))}
    assert len(lines) > 1_000
    found = {
        line: path for line, path in lines.items() if line in released and line not in public_lines() | ALSO_PUBLIC
    }
    assert found == {}


def test_no_expected_value_that_only_graders_have_is_released(released):
    hidden = set()
    for path in sorted(project.current().autograder.rglob("expected.json")):
        hidden |= numbers_in(json.loads(path.read_bytes()))
    assert len(hidden) > 20
    assert sorted(number for number in hidden if number in released) == []


def test_the_first_lab_is_released_without_the_module_that_answers_it(tmp_path):
    write_release(project.current(), [COURSE.labs["01_build_the_table"]], tmp_path)
    for wheel in (tmp_path / "wheels").glob("*.whl"):
        assert not [name for name in zipfile.ZipFile(wheel).namelist() if "sinusoidal" in name]


# Runs a notebook's cells with IPython, as a kernel does. Stops at the first cell that fails, and prints its id.
RUN = """
import json, pathlib, sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
for cell in json.loads(pathlib.Path(sys.argv[1]).read_text("utf-8"))["cells"]:
    if cell["cell_type"] == "code" and not shell.run_cell("".join(cell["source"])).success:
        sys.exit(cell["id"])
import encoding_labs, labkit
print(encoding_labs.__file__, labkit.__file__)
"""


@pytest.mark.long("installs a release into a new environment")
@pytest.mark.timeout(2 * SECONDS)
def test_a_release_is_installed_as_its_readme_says_and_runs_every_script_and_solution(
    tmp_path, constraints, package_index
):
    """Installs everything except JupyterLab, which is large and has its own tests."""
    write_release(project.current(), list(COURSE.labs.values()), tmp_path)
    readme = (tmp_path / "README.md").read_text("utf-8")
    install = re.search(r"^(python3 -m venv env) && env/bin/python -m pip (install .+)$", readme, re.MULTILINE)
    listed = tmp_path / "requirements.txt"
    listed.write_text("".join(line for line in listed.read_text().splitlines(True) if "jupyterlab" not in line))
    elsewhere = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LABKIT", "PYTEST"))
    }

    def run(*words: object) -> subprocess.CompletedProcess:
        return subprocess.run(
            list(map(str, words)), cwd=tmp_path, env=elsewhere, capture_output=True, text=True, timeout=SECONDS
        )

    assert install and run(sys.executable, "-m", "venv", "env").returncode == 0
    pip = ["env/bin/python", "-m", "pip", "--disable-pip-version-check", "--quiet", *install[2].split()]
    done = run(*pip, "--no-compile", "--constraint", constraints)
    assert done.returncode == 0, done.stderr[-3000:]
    for script in sorted((tmp_path / "scripts").rglob("*.py")):
        done = run("env/bin/python", script)
        assert (done.returncode, done.stderr) == (0, "") and "▸ " in done.stdout, f"{script}: {done.stderr[-2000:]}"
    solutions = sorted(
        path for path in project.current().solutions.rglob("*.ipynb") if path.parent.name != ".ipynb_checkpoints"
    )
    for solution in solutions:
        done = run("env/bin/python", "-c", RUN, solution)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        assert all(str(tmp_path / "env") in path for path in done.stdout.split()[-2:])
        checks = sum("check(" in line for line in solution.read_text("utf-8").splitlines() if '"check(' in line)
        assert checks and done.stdout.count("✔") == checks and "✘" not in done.stdout, solution.name
