"""One source per lab: generated files match it and contain no answer."""

import re
from contextlib import nullcontext
from dataclasses import replace

import nbformat
import psutil
import pytest
from nbclient.output_widget import OutputWidget

from labkit.author.source import percent as authoring
from labkit.author.source.build import generated
from labkit.student.model import course, project
from labkit.student.model.errors import UserError

LABS = ("01_spread", "02_levels")


@pytest.fixture
def lab():
    return course.current().labs["01_spread"]


def test_building_twice_gives_the_same_bytes(lab):
    assert list(generated(project.current(), lab)) == list(generated(project.current(), lab))


def version_2(tmp_path):
    """The course without a text about submitting, in another version."""
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "2.0"\n')
    return replace(project.current(), root=tmp_path, hand_in="")


def test_the_first_cell_ends_with_the_version_of_the_course(lab, tmp_path):
    assert project.current().version == "0.1.0"
    assert replace(project.current(), root=tmp_path).version == ""  # without a pyproject.toml
    path = project.current().solutions / "01_spread.py"
    plain = authoring.read_source(path, lab).cells
    versioned = authoring.framed(version_2(tmp_path), authoring.read_source(path, lab)).cells
    assert versioned[0].source == f"{plain[0].source}\n\n<small>Version 2.0</small>"
    assert versioned[1:] == plain[1:]


@pytest.mark.parametrize(
    ("text", "framed"),
    [
        (
            "# A\n\n<details>\nGoals\n\n</details>",
            "# A\n\n<details>\nGoals\n\n\n<small>Version 2.0</small>\n\n</details>",
        ),
        (
            "# A\n\n<details>\nGoals\n</details>\n\nWhy",
            "# A\n\n<details>\nGoals\n</details>\n\nWhy\n\n<small>Version 2.0</small>",
        ),
    ],
    ids=["at the end", "before other text"],
)
def test_the_version_is_in_the_folded_part_that_ends_the_first_cell(text, framed, tmp_path):
    metadata = {"labkit": {"lab": "01_spread"}}
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text)], metadata=metadata)
    assert authoring.framed(version_2(tmp_path), notebook).cells[0].source == framed


def lab_source(tmp_path, text: str):
    path = tmp_path / "01_spread.py"
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("# %%\nx = 1\n", "cell 0: every cell needs a name"),
        ('# %% name="Big Name"\nx = 1\n', "every cell needs a name"),
        ('# %% name="a"\nx = 1\n# %% name="a"\ny = 1\n', "cell a: another cell has the same name"),
        ('# %% name="a"\n# BEGIN ANSWER\nx = 1\n', "cell a: BEGIN ANSWER and END ANSWER belong in every exercise"),
        ('# %% name="a" exercise="a"\nx = 1\n', "cell a: BEGIN ANSWER"),
        ('# %% name="a"\n# BEGIN ANSWER\nx = 1\n# END ANSWER\n', "and in no other cell"),
        ('# %% name="a" exercise="a"\n# BEGIN ANSWER\nx = 1\n# END ANSWER\n', "the lab's exercises are spread"),
    ],
)
def test_a_source_that_is_no_lab_says_where(tmp_path, text, says, lab):
    with pytest.raises(UserError, match=re.escape(says)):
        authoring.read_source(lab_source(tmp_path, text), lab)


def test_answers_become_stubs_at_their_own_indentation():
    source = nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_code_cell(
                "def f(x):\n    # BEGIN ANSWER\n    return x\n    # END ANSWER\n\nclass C:\n    def g(self):\n        # BEGIN ANSWER\n"
                "        return 1\n        # END ANSWER",
                id="f",
                metadata={"labkit": {"exercise": "f"}},
            )
        ]
    )
    (cell,) = authoring.student_notebook(source).cells
    assert cell.source == (
        'def f(x):\n    raise NotImplementedError("f: write your answer here")\n\nclass C:\n    def g(self):\n'
        '        raise NotImplementedError("f: write your answer here")'
    )
    (solved,) = authoring.solution_notebook(source).cells
    assert "ANSWER" not in solved.source and "    return x\n" in solved.source


@pytest.mark.parametrize("source", ["1", "1 / 0"])
def test_a_kernel_ends_with_its_notebook(source, tmp_path):
    """A kernel that was still running when `labkit build` ended used to print that its parent was gone."""
    cell = nbformat.v4.new_code_cell(source, id="only")
    notebook = nbformat.v4.new_notebook(cells=[cell], metadata={"labkit": {"lab": LABS[0]}})
    before = {child.pid for child in psutil.Process().children()}
    with pytest.raises(UserError, match="ZeroDivisionError") if "/" in source else nullcontext():
        authoring.execute(notebook, tmp_path, tmp_path)
    assert {child.pid for child in psutil.Process().children()} <= before


def test_a_control_is_not_answered(monkeypatch, tmp_path):
    """Answering a widget's message while waiting for a reply made us miss one reply in ten on a busy machine."""
    monkeypatch.setattr(OutputWidget, "send", lambda *_, **__: pytest.fail("it was answered"))
    source = "from ipywidgets import interact\n@interact(x=(0, 3))\ndef shown(x):\n    print(x)"
    cell = nbformat.v4.new_code_cell(source, id="control", metadata={"tags": [authoring.WIDGET]})
    notebook = nbformat.v4.new_notebook(cells=[cell], metadata={"labkit": {"lab": LABS[0]}})
    assert authoring.execute(notebook, tmp_path, tmp_path).cells[0].outputs == []
