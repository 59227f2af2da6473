"""Labs saved by other services, or worked on as scripts, are graded as usual, and the dev container agrees with the README and CI."""

import json
import re
from pathlib import Path

import jupytext
import nbformat
import pytest
import yaml
from longer import every

from encoding_labs import COURSE
from labkit.author.source.percent import script_of
from labkit.grade.intake.notebooks import parse_notebook
from labkit.student.model import project

ROOT = project.current().root
LAB = COURSE.names[0]


def solved_in(language: str, lab: str = LAB) -> dict:
    """The lab in this language, solved with the solution's answers."""
    notebook = json.loads(project.current().editions_of(lab)[language].read_bytes())
    solution = json.loads((project.current().solutions / f"{lab}.ipynb").read_bytes())
    answers = {
        cell["id"]: cell["source"] for cell in solution["cells"] if "exercise" in cell["metadata"].get("labkit", {})
    }
    for cell in notebook["cells"]:
        cell["source"] = answers.get(cell["id"], cell["source"])
    return notebook


def saved_by_colab(notebook: dict) -> dict:
    """The notebook as Colab saves it: a first cell installs the course, and all cells have new ids, stored in their metadata."""
    install = {
        "cell_type": "code",
        "source": ["%pip install -q encoding-labs==0.1.0"],
        "outputs": [],
        "execution_count": 1,
    }
    cells = [install | {"metadata": {}}, *notebook["cells"]]
    for number, cell in enumerate(cells):
        cell.pop("id", None)
        cell["metadata"] = {"id": f"Xy{number:010d}"}
        if cell["cell_type"] == "code":
            cell["metadata"]["outputId"] = f"9b{number:030d}"
    metadata = {"colab": {"provenance": []}, "kernelspec": {"name": "python3", "display_name": "Python 3"}}
    return {"nbformat": 4, "nbformat_minor": 0, "metadata": metadata, "cells": cells}


@pytest.mark.parametrize("language", every(2, [*project.current().editions_of(LAB)], start=1, why="another language"))
def test_a_notebook_saved_by_colab_and_a_script_get_the_same_points(language, tmp_path, labkit):
    notebook = solved_in(language)
    files = {
        "here/{}.ipynb": json.dumps(notebook),
        "script/{}.py": script_of(nbformat.reads(json.dumps(notebook), as_version=4)),
        "colab/{}.ipynb": json.dumps(saved_by_colab(notebook)),
    }
    for name, content in files.items():
        path = tmp_path / "class" / name.format(LAB)
        path.parent.mkdir(parents=True)
        path.write_text(content)
    done = labkit("grade", tmp_path / "class", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    colab, here, script = json.loads((tmp_path / "out/results.json").read_bytes())
    assert (colab["status"], colab["lab"]) == ("graded", LAB)
    assert colab["score"] == here["score"] == here["max_score"] > 0
    for what in ("lab", "status", "language", "score", "checks"):
        assert script[what] == here[what]
    assert f"script/{LAB}.py" in (tmp_path / "out/students/script.html").read_text("utf-8")


@pytest.mark.parametrize("language", [*project.current().editions_of(LAB)])
def test_a_solved_script_has_the_cells_of_the_notebook(name, language):
    notebook = solved_in(language, name)
    script = script_of(nbformat.reads(json.dumps(notebook), as_version=4))
    read = parse_notebook(project.current(), script.encode())
    whole = parse_notebook(project.current(), json.dumps(notebook).replace(".ipynb", ".py").encode())
    assert (read.lab_name, read.language, read.cells[1:]) == (name, language, whole.cells)
    by_jupytext = jupytext.reads(script, fmt="py:percent").cells
    assert [(cell.cell_type, cell.source) for cell in by_jupytext] == [(cell.kind, cell.source) for cell in read.cells]


def test_the_dev_container_makes_the_environment_of_the_readme_and_opens_a_lab():
    container = json.loads((ROOT / ".devcontainer/devcontainer.json").read_bytes())
    assert container["postCreateCommand"] == "make env"
    assert (ROOT / container["postAttachCommand"].removeprefix("code ")).is_file()
    python = re.search(r"python:(3\.\d+)$", container["image"])[1]
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text("utf-8"))
    assert python in workflow["jobs"]["linux"]["strategy"]["matrix"]["python"]


def test_the_page_says_where_each_way_was_tried():
    page = Path(ROOT / "docs/open_anywhere.md").read_text("utf-8")
    assert all(f"| {place} |" in page for place in ("This site", "Colab", "Binder", "Dev container", "VS Code"))
    assert "labkit site --out" in page
