"""What is taken from a submission, and what is not."""

import pytest

from encoding_labs import COURSE
from labkit.intake.assemble import assemble, reference_cells

LAB = "01_build_the_table"
ANSWER = "def frequencies(d):\n    return 10000.0 ** (-np.arange(0, d, 2) / d)"


def order(assembled) -> list[str]:
    return [cell.id for cell in assembled.notebook.cells if cell.cell_type == "code"]


def source(assembled, name: str) -> str:
    return next(cell.source for cell in assembled.notebook.cells if cell.id == name)


def test_the_untouched_lab_keeps_every_stub(handout):
    assembled = assemble(handout(LAB).submission())
    assert assembled.untouched == {exercise.name for exercise in COURSE.labs[LAB].exercises}
    assert "NotImplementedError" in source(assembled, "frequencies")


def test_the_solution_has_nothing_untouched(handout):
    assert not assemble(handout(LAB, solved=True).submission()).untouched


def test_an_answer_is_found_by_id(handout):
    assembled = assemble(handout(LAB).write("frequencies", ANSWER).submission())
    assert source(assembled, "frequencies") == ANSWER and "frequencies" not in assembled.untouched


def test_an_answer_is_found_by_metadata_when_ids_are_lost(handout):
    copy = handout(LAB).write("frequencies", "w = 1  # defines another name\n" + ANSWER)
    for cell in copy.cells:
        cell["id"] = "x" + cell["id"][:8]
    assert "another name" in source(assemble(copy.submission()), "frequencies")


def test_an_answer_is_found_by_its_name_when_all_marks_are_lost(handout):
    copy = handout(LAB).write("frequencies", ANSWER)
    for cell in copy.cells:
        cell.pop("id")
        cell["metadata"] = {}
    assembled = assemble(copy.submission())
    assert source(assembled, "frequencies") == ANSWER
    assert [name for name in order(assembled) if name.startswith("added")] == []  # the lab's own cells are recognised


def test_a_cell_of_the_students_own_is_taken_when_the_stub_was_left(handout):
    assembled = assemble(handout(LAB).insert(ANSWER, after="frequencies_task").submission())
    assert source(assembled, "frequencies") == ANSWER
    assert order(assembled).count("frequencies") == 1


def test_a_duplicate_counts_as_the_notebook_runs(handout):
    second = ANSWER.replace("10000.0", "1e4")
    copy = handout(LAB).write("frequencies", ANSWER)
    copy.insert(second, after="frequencies", metadata={"labkit": {"exercise": "frequencies"}})
    names = order(assemble(copy.submission()))
    assert names[names.index("frequencies") + 1].startswith("added")


def test_a_duplicate_that_is_still_the_stub_is_dropped(handout):
    stub = "".join(handout(LAB).cell("frequencies")["source"])
    copy = handout(LAB).write("frequencies", ANSWER).insert(stub, after="frequencies")
    assembled = assemble(copy.submission())
    assert source(assembled, "frequencies") == ANSWER and not any("added" in name for name in order(assembled))


def test_a_helper_cell_stays_before_the_answer_that_needs_it(handout):
    copy = handout(LAB).insert("helper = 1", after="frequencies_task").write("frequencies", ANSWER)
    names = order(assemble(copy.submission()))
    assert names[names.index("frequencies") - 1].startswith("added")


def test_an_import_added_to_the_setup_survives(handout):
    copy = handout(LAB)
    copy.write("setup", "import math\n" + "".join(copy.cell("setup")["source"]))
    names = order(assemble(copy.submission()))
    assert names[names.index("setup") + 1] == "added-setup"


def test_deleted_and_edited_check_cells_are_the_references_again(handout):
    copy = handout(LAB).remove("check_frequencies").write("check_sinusoidal_pe", "print('✔ sinusoidal_pe: right.')")
    assembled = assemble(copy.submission())
    assert source(assembled, "check_frequencies") == 'check("frequencies")'
    assert source(assembled, "check_sinusoidal_pe") == 'check("sinusoidal_pe")'
    assert "right.')" not in "".join(cell.source for cell in assembled.notebook.cells)


def test_reordered_and_deleted_answers(handout):
    copy = handout(LAB, solved=True).remove("by_hand")
    copy.cells.reverse()
    assembled = assemble(copy.submission())
    expected = [cell.id for cell in reference_cells(COURSE.labs[LAB]) if cell.cell_type == "code"]
    assert [name for name in order(assembled) if not name.startswith("added")] == expected
    assert assembled.untouched == {"by_hand"}


@pytest.mark.parametrize(
    "marker",
    ["# NBVAL_IGNORE_OUTPUT", "  #  NBVAL_SKIP", "## NBVAL_RAISES_EXCEPTION  ", "#PYTEST_VALIDATE_IGNORE_OUTPUT"],
)
def test_nbval_markers_of_the_student_have_no_effect(handout, marker):
    from nbval.plugin import find_comment_markers

    answer = source(assemble(handout(LAB).write("frequencies", f"{marker}\n{ANSWER}").submission()), "frequencies")
    assert list(find_comment_markers(f"{marker}\n{ANSWER}")) and not list(find_comment_markers(answer))


def test_tags_and_outputs_of_the_student_have_no_effect(handout):
    copy = handout(LAB).write("frequencies", ANSWER)
    copy.cell("frequencies")["metadata"]["tags"] = ["nbval-skip", "raises-exception"]
    copy.cell("frequencies")["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "all passed"}]
    cell = next(cell for cell in assemble(copy.submission()).notebook.cells if cell.id == "frequencies")
    assert cell.metadata["tags"] == ["nbval-ignore-output"] and cell.outputs == []


def test_written_answers_are_kept(handout):
    assembled = assemble(handout(LAB).write("why_pairs", "Because a circle has two coordinates.").submission())
    assert assembled.written == {"why_pairs": "Because a circle has two coordinates."}
