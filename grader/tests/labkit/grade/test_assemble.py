"""Which parts of a submission are used, and which are ignored."""

from copy import deepcopy

import pytest
from handouts import Handout

from labkit.grade.intake.answer_cells import WRITE_HERE
from labkit.grade.judge.assemble import _definitions, assemble, reference_cells
from labkit.grade.judge.judge import judge_file
from labkit.student.model import course, project

LAB = "01_spread"
ANSWER = "def spread(values):\n    return float(np.std(values))"


def order(assembled) -> list[str]:
    return [cell.id for cell in assembled.cells if cell.cell_type == "code"]


def source(assembled, name: str) -> str:
    return next(cell.source for cell in assembled.cells if cell.id == name)


def test_code_of_answers_is_kept_and_code_of_stubs_is_not(handout, tmp_path):
    copy = handout(LAB).write("spread", ANSWER)
    assert assemble(project.current(), copy.parsed()).code == {"spread": ANSWER}
    assert judge_file(project.current(), copy.save(tmp_path / "ada.ipynb"), "ada").code == {"spread": ANSWER}


def test_an_answer_is_found_by_metadata_when_ids_are_lost(handout):
    copy = handout(LAB).write("spread", "w = 1  # defines another name\n" + ANSWER)
    for cell in copy.cells:
        cell["id"] = "x" + cell["id"][:8]
    assert "another name" in source(assemble(project.current(), copy.parsed()), "spread")


def test_an_answer_is_found_by_its_name_when_all_marks_are_lost(handout):
    copy = handout(LAB).write("spread", ANSWER)
    for cell in copy.cells:
        cell.pop("id")
        cell["metadata"] = {}
    assembled = assemble(project.current(), copy.parsed())
    assert source(assembled, "spread") == ANSWER
    assert [name for name in order(assembled) if name.startswith("added")] == []  # the lab's own cells are recognised


def test_an_added_cell_is_used_when_the_stub_was_left(handout):
    assembled = assemble(project.current(), handout(LAB).insert(ANSWER, after="spread_text").parsed())
    assert source(assembled, "spread") == ANSWER
    assert order(assembled).count("spread") == 1


def test_a_duplicate_counts_as_the_notebook_runs(handout):
    second = ANSWER.replace("np.std", "np.nanstd")
    copy = handout(LAB).write("spread", ANSWER)
    copy.insert(second, after="spread", metadata={"labkit": {"exercise": "spread"}})
    names = order(assemble(project.current(), copy.parsed()))
    assert names[names.index("spread") + 1].startswith("added")


def test_a_duplicate_that_is_still_the_stub_is_dropped(handout):
    stub = "".join(handout(LAB).cell("spread")["source"])
    copy = handout(LAB).write("spread", ANSWER).insert(stub, after="spread")
    assembled = assemble(project.current(), copy.parsed())
    assert source(assembled, "spread") == ANSWER and not any("added" in name for name in order(assembled))


def test_copies_that_an_editor_makes_change_no_answer(handout):
    """VS Code pastes cells with the same id, and JupyterLab once appended the whole notebook to itself."""
    stub, copy = handout(LAB).cell("spread"), handout(LAB, solved=True)
    code = assemble(project.current(), copy.parsed()).code
    for place in (0, 1):
        copy.cells.insert(copy.cells.index(copy.cell("spread")) + place, deepcopy(stub))
        assert assemble(project.current(), copy.parsed()).code == code
    copy.cells += deepcopy(copy.cells)
    assert assemble(project.current(), copy.parsed()).code == code


def test_a_helper_cell_stays_before_the_answer_that_needs_it(handout):
    copy = handout(LAB).insert("helper = 1", after="spread_text").write("spread", ANSWER)
    names = order(assemble(project.current(), copy.parsed()))
    assert names[names.index("spread") - 1].startswith("added")


def test_an_import_added_to_the_setup_survives(handout):
    copy = handout(LAB)
    copy.write("setup", "import math\n" + "".join(copy.cell("setup")["source"]))
    names = order(assemble(project.current(), copy.parsed()))
    assert names[names.index("setup") + 1] == "added-setup"


def test_deleted_and_edited_check_cells_decide_nothing(handout):
    copy = handout(LAB).remove("check_spread").write("check_midrange", "print('✔ midrange: right.')")
    judged = assemble(project.current(), copy.parsed()).judged_cells()
    assert [cell.id for cell in judged] == ["setup", "predict_spread", "spread", "by_hand", "midrange"]


def test_reordered_and_deleted_answers(handout):
    copy = handout(LAB, solved=True).remove("by_hand")
    copy.cells.reverse()
    assembled = assemble(project.current(), copy.parsed())
    expected = [
        cell.id for cell in reference_cells(project.current(), course.current().labs[LAB]) if cell.cell_type == "code"
    ]
    assert [name for name in order(assembled) if not name.startswith("added")] == expected
    assert assembled.untouched == {"by_hand"}


@pytest.mark.parametrize(
    "marker",
    ["# NBVAL_IGNORE_OUTPUT", "  #  NBVAL_SKIP", "## NBVAL_RAISES_EXCEPTION  ", "#PYTEST_VALIDATE_IGNORE_OUTPUT"],
)
def test_nbval_markers_of_the_student_have_no_effect(handout, marker):
    from nbval.plugin import find_comment_markers

    answer = source(assemble(project.current(), handout(LAB).write("spread", f"{marker}\n{ANSWER}").parsed()), "spread")
    assert list(find_comment_markers(f"{marker}\n{ANSWER}")) and not list(find_comment_markers(answer))


def test_tags_and_outputs_of_the_student_have_no_effect(handout):
    copy = handout(LAB).write("spread", ANSWER)
    copy.cell("spread")["metadata"]["tags"] = ["nbval-skip", "raises-exception"]
    copy.cell("spread")["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "all passed"}]
    cell = next(cell for cell in assemble(project.current(), copy.parsed()).cells if cell.id == "spread")
    assert "tags" not in cell.metadata and cell.outputs == []


WORDS = "Because distances are squared, so one of them weighs most."


OLD_STUB = "*Write your answer here, instead of this line.*"  # from labs released before the frame existed
OLD_PROMPT = "**Your answer.** *Double-click here, and write it in place of this line.*"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (WRITE_HERE, ""),
        (OLD_STUB, ""),
        (WRITE_HERE.replace(WRITE_HERE.splitlines()[2], OLD_PROMPT), ""),
        (WRITE_HERE.replace("</div>", ""), ""),
        (f"{OLD_STUB}\n\n{WORDS}", WORDS),
        (f"{WRITE_HERE}\n\n{WORDS}", WORDS),
        (WRITE_HERE.replace(WRITE_HERE.splitlines()[2], WORDS), WORDS),
        (f"{WORDS}\n\n<div>of my own</div>", f"{WORDS}\n\n<div>of my own</div>"),
    ],
    ids=[
        "untouched",
        "untouched, before the frame",
        "untouched, with an earlier prompt",
        "half a frame",
        "below the old stub",
        "below",
        "in the frame",
        "own",
    ],
)
def test_a_written_answer_is_kept_without_its_frame(handout, text, kept):
    assembled = assemble(project.current(), handout(LAB).write("robust", text).parsed())
    assert assembled.written == {"robust": kept}
    assert ("robust" in assembled.untouched) == (kept == "")


@pytest.mark.parametrize("kind", ["markdown", "raw", "code"])
@pytest.mark.parametrize("stub", ["left", "emptied", "removed", "without ids"])
def test_a_written_answer_in_a_cell_of_the_students_own_is_kept(handout, kind, stub):
    copy = handout(LAB)
    empty = copy.cell("robust")["source"]
    copy.write("robust", "" if stub == "emptied" else empty).insert(WORDS, after="robust", cell_type=kind)
    copy.insert("x = 1", after="robust")
    if stub == "removed":
        copy.remove("robust")
    for cell in copy.cells if stub == "without ids" else ():
        cell.pop("id")
        cell["metadata"] = {}
    assembled = assemble(project.current(), copy.parsed())
    assert assembled.written == {"robust": WORDS} and "robust" not in assembled.untouched


def test_cells_that_only_show_something_are_not_run():
    """A cell that only shows something cannot affect a check. One that defines a name is run."""
    solution = assemble(project.current(), Handout("02_levels", solved=True).parsed())
    judged = [cell.id for cell in solution.judged_cells()]
    assert judged == ["setup", "levels", "draw_levels", "show_levels"]
    assert {"predict_levels", "spread_of_levels", "see_levels"} <= set(order(solution))


def test_a_course_cell_keeps_the_statements_that_define_names():
    assert _definitions("show(1)\nquiz(2)") == ""
    assert _definitions("predict(SHAPE)\nguess = None  # A or B\nshow(guess)") == "guess = None"
    both = "import numpy as np\ntable = np.eye(3)"
    assert _definitions(both) == both
    assert _definitions("%timeit 1\nx = 2") == "%timeit 1\nx = 2"  # IPython syntax


def test_an_answer_that_only_a_shown_cell_calls_wrongly_costs_nothing(tmp_path):
    answer = "def levels(values):\n    if values == [3.0, 1.0, 3.0]:\n        import os; os._exit(1)\n    return np.unique(values)"
    copy = Handout("02_levels", solved=True).write("levels", answer)
    copy.save(tmp_path / "02_levels.ipynb")
    row = judge_file(project.current(), tmp_path / "02_levels.ipynb", "student")
    assert row.status == "graded"
