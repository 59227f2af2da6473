"""Test the project with uv: it installs the pinned versions, and the README's uv commands run in a clone."""

import ast
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from labkit.student.model import project

SECONDS = 500  # the package index is slow from some machines
pytestmark = pytest.mark.timeout(2 * SECONDS)


def run(*words: object, **settings) -> str:
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=SECONDS, **settings)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def surroundings(tmp_path_factory, python_with_pip, package_index) -> dict[str, str]:
    """Environment variables for running uv with pip's package index settings. Installs uv if it is missing."""
    folder = tmp_path_factory.mktemp("uv")
    usual = {name: value for name, value in os.environ.items() if not name.startswith(("UV", "PYTHON", "VIRTUAL_ENV"))}
    usual |= {
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_CACHE_DIR": str(folder / "cache"),
    }  # choose versions as pip does
    for line in run(python_with_pip, "-m", "pip", "config", "list").splitlines():
        name, _, value = line.partition("=")
        setting = name.rpartition(".")[2].replace("-", "_").upper()  # uv uses the same names for these settings
        usual[f"UV_{setting}"] = ("," if setting.endswith("LINKS") else " ").join(ast.literal_eval(value).split())
    if not shutil.which("uv"):
        run(python_with_pip, "-m", "pip", "install", "--quiet", "--target", folder / "uv", "uv")
    return usual | {"PATH": f"{os.environ['PATH']}{os.pathsep}{folder / 'uv/bin'}"}


@pytest.fixture
def clone(tmp_path) -> Path:
    left = shutil.ignore_patterns(".*", "graded", "build", "tests", "uv.lock")
    return shutil.copytree(project.current().root, tmp_path / "a clone", ignore=left)


def test_uv_takes_the_pinned_versions(clone, surroundings, constraints):
    run("uv", "lock", cwd=clone, env=surroundings)
    locked = tomllib.loads((clone / "uv.lock").read_text("utf-8"))["package"]
    pins = dict(line.split("==") for line in constraints.read_text().split())
    pins = {canonicalize_name(name): version for name, version in pins.items()}
    versions = {(each["name"], each["version"]) for each in locked if each["name"] in pins}
    assert versions == set(pins.items())


def test_the_lock_of_uv_is_not_committed():
    """uv.lock contains the address of the package index used on the machine that wrote it."""
    assert "uv.lock" in (project.current().root / ".gitignore").read_text("utf-8").split()


README = re.findall(r"^(uvx? .+?)(?: +#.*)?$", (project.current().root / "README.md").read_text("utf-8"), re.MULTILINE)


def test_the_readme_names_three_uv_commands():
    assert len(README) == 3


@pytest.mark.long("installs the project for each command")
@pytest.mark.parametrize("command", README)
def test_the_readme_commands_run_from_a_clone(command, clone, surroundings):
    assert run("sh", "-c", f"{command} --help", cwd=clone, env=surroundings)
