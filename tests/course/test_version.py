"""Both packages have the same version, and every lab or other file that states a version has the same."""

import re
import tomllib

import nbformat
import yaml

from labkit.student.model import project

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
