"""Each dependency has one version range, and is pinned to a version in it; uv installs these, and the README's uv commands run."""

import ast
import os
import re
import shutil
import subprocess
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
import yaml
from needs import skip_without
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from labkit.student.model import project

CONDA_NAMES = {"matplotlib-base": "matplotlib"}  # Matplotlib without a GUI toolkit


def requirement(line: str) -> tuple[str, str]:
    parsed = Requirement(line)
    return canonicalize_name(CONDA_NAMES.get(parsed.name, parsed.name)), str(parsed.specifier)


def metadata_of(path: str) -> dict:
    return tomllib.loads((project.current().root / path).read_text("utf-8"))["project"]


@pytest.fixture(scope="module")
def declared() -> dict[str, str]:
    """Every dependency and its range, except those of the extra `site`, which `make env` does not install."""
    lines = []
    for path in ("pyproject.toml", "grader/pyproject.toml"):
        metadata = metadata_of(path)
        extras = {name: extra for name, extra in metadata["optional-dependencies"].items() if name != "site"}
        lines += [*metadata["dependencies"], *(line for extra in extras.values() for line in extra)]
    return {name: range_ for name, range_ in map(requirement, lines) if name != "nblabkit"}


def conda(path: str) -> list:
    return yaml.safe_load((project.current().root / path).read_text("utf-8"))["dependencies"]


def ranges(conda: list) -> dict[str, str]:
    lines = [line for line in conda if isinstance(line, str) and line != "pip" and not line.startswith("python=")]
    lines += [line for line in conda[-1]["pip"] if not line.startswith("-e ")]  # packages missing from conda
    return dict(map(requirement, lines))


def test_conda_and_pip_agree(declared):
    assert ranges(conda("environment.yml")) == declared


def test_binder_installs_what_a_student_needs(declared):
    course = metadata_of("pyproject.toml")
    lines = [
        *course["dependencies"],
        *course["optional-dependencies"]["lab"],
        *metadata_of("grader/pyproject.toml")["dependencies"],
    ]
    own = {canonicalize_name(Requirement(line).name) for line in lines} - {"nblabkit"}
    assert ranges(conda("binder/environment.yml")) == {name: declared[name] for name in own}
    root = project.current().root
    packages = [line.removeprefix("-e ") for line in conda("binder/environment.yml")[-1]["pip"]]
    assert [(root / "binder" / path).resolve() for path in packages] == [root / "grader", root]


def test_pins_are_in_the_ranges(declared, constraints):
    pins = {
        canonicalize_name(name): version
        for name, _, version in (line.partition("==") for line in constraints.read_text().split())
    }
    outside = {
        name: pins.get(name)
        for name, range_ in declared.items()
        if not Requirement(f"x{range_}").specifier.contains(pins.get(name, "0"))
    }
    assert not outside


def test_everything_that_builds_a_site_is_pinned(constraints):
    """With warnings as errors, one new version of a package that Sphinx needs could stop the site."""
    pinned = {canonicalize_name(line.partition("==")[0]) for line in constraints.read_text().split()}
    waiting, needed = metadata_of("grader/pyproject.toml")["optional-dependencies"]["site"], set()
    while waiting:
        line = Requirement(waiting.pop())
        if (line.marker is None or line.marker.evaluate({"extra": ""})) and canonicalize_name(line.name) not in needed:
            needed.add(canonicalize_name(line.name))
            try:
                waiting += distribution(line.name).requires or ()
            except PackageNotFoundError:
                skip_without("the extra site")
    assert needed - pinned == set()


def test_a_site_is_built_with_the_versions_that_were_tried():
    lines = metadata_of("grader/pyproject.toml")["optional-dependencies"]["site"]
    exact = [name for name, range_ in map(requirement, lines) if range_.startswith("==")]
    assert {"jupyterlite-core", "jupyterlite-pyodide-kernel", "myst-nb", "sphinx", "sphinx-book-theme"} <= {*exact}
    make = (project.current().root / "Makefile").read_text("utf-8")
    assert "--all-extras" not in make, "`make env` must not install the extra `site`"


@pytest.mark.parametrize(
    "name", ["pyproject.toml", "grader/pyproject.toml", "environment.yml", "binder/environment.yml", "Makefile"]
)
def test_no_registry_is_named(name):
    text = (project.current().root / name).read_text("utf-8")
    assert not re.search(r"index.url|find.links|https?://|file://", text)


SECONDS = 500  # the package index is slow from some machines
TAKES_LONG = pytest.mark.timeout(2 * SECONDS)


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


@TAKES_LONG
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


@TAKES_LONG
@pytest.mark.long("installs the project for each command")
@pytest.mark.parametrize("command", README)
def test_the_readme_commands_run_from_a_clone(command, clone, surroundings):
    assert run("sh", "-c", f"{command} --help", cwd=clone, env=surroundings)
