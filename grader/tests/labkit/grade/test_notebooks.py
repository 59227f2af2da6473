"""Any bytes give a Notebook or a reason, never an exception. `python grader/tests/labkit/fuzz.py` tries 10,000 mutated ones."""

import json

import fuzz
import fuzz_replies
import jupytext
import nbformat
import pytest
from handouts import Handout
from hypothesis import given
from hypothesis import strategies as st
from longer import times

from labkit.author.source.percent import script_of
from labkit.grade.intake.answer_cells import find_answers
from labkit.grade.intake.handout import handout
from labkit.grade.intake.notebooks import Cell, Notebook, Refusal, notebook_in, parse_notebook
from labkit.student.model import project

LAB = "01_spread"


def handed_out() -> bytes:
    return (project.current().labs / f"{LAB}.ipynb").read_bytes()


def notebook(**changes) -> bytes:
    return json.dumps({**json.loads(handed_out()), **changes}).encode()


def parsed(content: bytes, stem: str = "") -> Notebook | Refusal:
    return parse_notebook(project.current(), content, stem)


def test_a_lab_is_read():
    submission = parsed(handed_out())
    assert isinstance(submission, Notebook) and submission.lab_name == LAB
    assert {cell.exercise for cell in submission.cells} >= {"spread", "midrange", "robust"}


@pytest.mark.parametrize(
    ("content", "status", "says"),
    [
        (b"", "unreadable", "empty"),
        (b"  \n", "unreadable", "empty"),
        (b"\0" * 500, "unreadable", "empty or has only zero bytes"),
        (b"My answers are in the attachment.", "unreadable", "its content is not JSON"),
        (b"\x89PNG\r\n\x1a\n", "unreadable", "this is not a notebook but a picture"),
        (b"%PDF-1.7 \x8f", "unreadable", "this is not a notebook but a PDF"),
        (b"\xef\xbb\xbf\n<!DOCTYPE html><html lang='en'>", "unreadable", "this is not a notebook but a web page"),
        (
            b"%matplotlib inline\nimport numpy as np\nspread = np.ptp",
            "unreadable",
            "this is not a notebook but a Python script",
        ),
        (b"done", "unreadable", "its content is not JSON"),
        (b"\xff\xfe" + "{}".encode("utf-16-le"), "unreadable", "no list of cells"),
        (lambda: handed_out()[:500], "unreadable", "the file is cut off or damaged: it begins like a notebook"),
        (b"[" * 1_000_000, "unreadable", "deep"),
        (b"[]", "unreadable", "not a notebook"),
        (b"null", "unreadable", "not a notebook"),
        (b'{"cells": {}}', "unreadable", "not a notebook"),
        (b'{"worksheets": [], "nbformat": 3}', "unreadable", "format 3 is not supported; save it as format 4"),
        (lambda: notebook(nbformat=99), "unreadable", "format 99"),
        (lambda: notebook(nbformat="4"), "unreadable", "format 4 is not supported"),
        (lambda: notebook(cells=[{"cell_type": "code", "source": ""}] * 3000), "unreadable", "more than 2,000 cells"),
        (lambda: notebook(cells=[], metadata={}), "not_a_lab", "this notebook belongs to no lab in this course"),
    ],
)
def test_files_that_are_not_submissions_are_refused_with_a_reason(content, status, says):
    refusal = parsed(content() if callable(content) else content)
    assert isinstance(refusal, Refusal) and refusal.status == status and says in refusal.reason


@pytest.mark.parametrize("rest", [b"\0" * 4096, b"\n}\n", b'{"cells": []}', b"\xff"])
def test_a_whole_notebook_is_read_whatever_follows_it(rest):
    found = parsed(handed_out().strip() + rest)
    assert found.cells == parsed(handed_out()).cells
    assert {each.id: each.facts for each in found.notes}["left-over"]["count"] == len(rest)


@pytest.mark.parametrize(
    "cell",
    [
        *(None, 3, "text", [], {}, {"cell_type": "raw"}, {"cell_type": "code", "source": 3}),
        {"cell_type": "code", "source": [1, None, "x = 1"], "metadata": 7, "id": {}},
    ],
)
def test_odd_cells_are_passed_over(cell):
    cells = json.loads(handed_out())["cells"]
    assert isinstance(parsed(notebook(cells=[cell, *cells])), Notebook)


def test_lone_surrogates_become_question_marks():
    cell = {"cell_type": "code", "source": "x = '\\ud800'", "id": "\\ud800", "metadata": {}}
    content = notebook(cells=[cell]).replace(b"\\\\ud800", b"\\ud800")
    assert parsed(content).cells[0].source == "x = '?'"


def test_links_and_missing_files_are_refused(tmp_path):
    link = tmp_path / "link.ipynb"
    link.symlink_to(project.current().solutions / f"{LAB}.ipynb")
    assert "link" in notebook_in(project.current(), link).reason
    assert "cannot be read" in notebook_in(project.current(), tmp_path / "none.ipynb").reason
    assert "a folder, not a file" in notebook_in(project.current(), tmp_path).reason


def test_the_lab_is_found_without_its_metadata():
    plain = json.loads(handed_out())
    plain["metadata"]["labkit"]["lab"] = "02_levels"
    assert parsed(json.dumps(plain).encode()).lab_name == LAB  # cells decide before metadata
    plain["metadata"] = {}
    assert parsed(json.dumps(plain).encode()).lab_name == LAB  # by the cells' ids
    for cell in plain["cells"]:
        cell.pop("id"), cell.update(metadata={})
    assert parsed(json.dumps(plain).encode()).lab_name == LAB  # by the names it defines
    plain["cells"] = [{"cell_type": "markdown", "source": "nothing left", "metadata": {}}]
    assert isinstance(parsed(json.dumps(plain).encode(), "homework"), Refusal)
    assert parsed(json.dumps(plain).encode(), f"{LAB} (1)").lab_name == LAB  # by the file's name


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("def f(): pass\nx, (y, z) = 1, (2, 3)\nw: int = 4", {"f", "x", "y", "z", "w"}),
        ("%matplotlib inline\n!ls\nf = lambda: 1", {"f"}),
        ("if True:\n    %time x = 1\ny = 2", {"y"}),
        ("%%bash\nf() { :; }", set()),
        ("def broken(:", set()),
        ("x = '\x00'", set()),
        ("(" * 5000, set()),
        ("import numpy as spread", {"spread"}),
        ("async def g(): ...\nclass C: ...", {"g", "C"}),
    ],
)
def test_names_that_a_cell_defines(source, names):
    assert Cell("code", source).defines() == names
    assert Cell("markdown", source).defines() == set()


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.text(max_size=30)
        | st.sampled_from(["code", "markdown", LAB, "spread"]),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(["cells", "metadata", "source", "id", "cell_type", "labkit", "lab", "exercise"]), inner
            )
        ),
        max_leaves=30,
    )
)
def test_any_json_gives_a_submission_or_a_reason(tree):
    for content in (tree, {"nbformat": 4, "cells": tree}, {"nbformat": 4, "cells": [tree], "metadata": tree}):
        assert isinstance(parsed(json.dumps(content).encode()), (Notebook, Refusal))


@given(st.data(), st.binary(min_size=1, max_size=8))
def test_a_damaged_file_gives_a_submission_or_a_reason(data, damage):
    whole = handed_out()
    at = data.draw(st.integers(0, len(whole) - 1))
    assert isinstance(parsed(whole[:at] + damage + whole[at + len(damage) :]), (Notebook, Refusal))


def as_script(content: bytes) -> str:
    return script_of(nbformat.reads(content.decode(), as_version=4))


def by_jupytext(content: str, **options: str) -> str:
    """The notebook in this script or JSON as jupytext saves it."""
    notebook = jupytext.reads(content, fmt="ipynb" if content.startswith("{") else "py:percent")
    notebook.metadata.setdefault("jupytext", {}).update(options)
    return jupytext.writes(notebook, fmt="py:percent")


def answers(content: str | bytes) -> dict[str, str]:
    found = parsed(content.encode() if isinstance(content, str) else content)
    return {name: cell.source for name, cell in find_answers(handout(project.current(), LAB), found).items()}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_script_in_percent_format_is_the_notebook_that_it_stands_for(encoding, end):
    content = Handout(LAB, solved=True).as_bytes()
    script = parsed(as_script(content).replace("\n", end).encode(encoding))
    first, *cells = script.cells
    assert "run_cells()" in first.source and first.id == ""
    assert (script.lab_name, [*cells]) == (LAB, [*parsed(content).cells])


def test_a_script_that_jupytext_saved_has_the_same_answers():
    content = Handout(LAB, solved=True).remove("rubric").as_bytes()
    for script in (
        by_jupytext(as_script(content)),
        by_jupytext(content.decode()),  # a student's own conversion, which drops the cells' ids
        by_jupytext(content.decode(), cell_markers='"""'),
        "import numpy as np\n" + by_jupytext(content.decode()),
    ):
        assert isinstance(parsed(script.encode()), Notebook) and answers(script) == answers(content)


def test_answers_in_a_script_are_found_in_added_cells_and_without_comment_signs():
    script, added = as_script(handed_out()), "def spread(values):\n    return 1.0"
    assert answers(f"{script}\n# %%time\n#%%\n{added}\n")["spread"] == added
    title = '# %% [markdown] name="robust" exercise="robust"\n'
    start = script.index(title) + len(title)
    plain = f"{script[:start]}It grows.\n# Squares!\n"
    assert answers(plain)["robust"] == "It grows.\nSquares!"


@pytest.mark.parametrize(
    ("change", "status", "says"),
    [
        (
            lambda script: script.replace("# Write", "<<<<<<< HEAD\n# Write", 1),
            "unreadable",
            "unresolved merge conflict at line",
        ),
        (lambda script: script + "# %%\n" * 1_000_000, "unreadable", "more than 2,000 cells"),
        (lambda script: '# %% name="a"\nx = 1', "not_a_lab", "belongs to no lab"),
        (lambda script: "# ---\n# jupyter: {" + "[" * 100_000, "not_a_lab", "belongs to no lab"),
    ],
)
def test_scripts_that_are_not_submissions_are_refused_with_a_reason(change, status, says):
    script = as_script(handed_out())
    refusal = parsed(change(script).encode())
    assert isinstance(refusal, Refusal) and refusal.status == status and says in refusal.reason


@given(
    st.data(), st.sampled_from(["\0", "\ud800", "# %%", '"""', "\n# %% [markdown] ", "\u2028", "\r", 'name="', "\xff"])
)
def test_a_damaged_script_gives_a_submission_or_a_reason(data, damage):
    whole = as_script(handed_out())
    at = data.draw(st.integers(0, len(whole)))
    found = parsed((whole[:at] + damage + whole[at:]).encode("utf-8", "surrogatepass"))
    assert isinstance(found, (Notebook, Refusal))
    assert isinstance(found, Refusal) or all(cell.source.encode() is not None for cell in found.cells)


def test_a_name_in_letters_that_python_takes_for_others_is_found():
    cell = Cell("code", "def ﬁnd(): pass")
    assert "find" not in cell.source and cell.mentions("find") and "find" in cell.defines()
    assert not Cell("code", "def found(): pass").mentions("find")


def test_mutated_notebooks_are_read_or_refused():
    _, kinds = fuzz.fuzz(count := times(60, 300), derandomize=True)
    assert min(kinds["Notebook"], kinds["Refusal"]) > count / 6  # enough mutations are readable, and enough are not


def test_every_refusal_reason_is_one_line():
    refusal = parse_notebook(project.current(), json.dumps({"cells": [], "nbformat": "4\n\x1b[2J\u202e"}).encode())
    assert isinstance(refusal, Refusal) and refusal.reason.isprintable()


def test_mutated_replies_are_judged_or_refused():
    _, kinds = fuzz_replies.fuzz(count := times(200, 1_000))
    assert {"wrong", "NoMessage", "OverBudget"} <= set(kinds) and kinds["wrong"] > 0.3 * count
