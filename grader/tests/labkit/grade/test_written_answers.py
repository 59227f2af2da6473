"""Written answers wherever students write them: every part reaches the reader, and empty answers stay missing."""

import pytest
from handouts import Handout

from labkit.grade.intake.answer_cells import WRITE_HERE
from labkit.grade.judge.assemble import assemble
from labkit.grade.judge.results import RUBRIC
from labkit.student.judging.finding import Finding
from labkit.student.judging.words import say
from labkit.student.model import project

LAB, TASK = "01_spread", "robust_text"
WORDS = "Because distances are squared, so one of them weighs most."
MORE = "A median counts values instead, so one value moves it little."


def written(copy: Handout) -> str:
    assembled = assemble(project.current(), copy.parsed())
    assert ("robust" in assembled.untouched) == (assembled.written["robust"] == "")
    return assembled.written["robust"]


def as_kind(copy: Handout, name: str, kind: str, source: str | None = None) -> Handout:
    cell = copy.cell(name)
    cell |= {"cell_type": kind, "source": cell["source"] if source is None else source}
    cell |= {"outputs": [], "execution_count": None} if kind == "code" else {}
    return copy


def without_ids(copy: Handout) -> Handout:
    for cell in copy.cells:
        cell.pop("id", None)
        cell["metadata"] = {}
    return copy


@pytest.mark.parametrize("tidy", [lambda copy: copy, without_ids])
@pytest.mark.parametrize("kind", ["markdown", "raw", "code"])
def test_an_answer_that_goes_on_in_a_new_cell_is_read_whole(handout, kind, tidy):
    copy = handout(LAB).write("robust", WORDS).insert(MORE, after="robust", cell_type=kind)
    assert written(tidy(copy)) == f"{WORDS}\n\n{MORE}"
    copy = handout(LAB).write("robust", MORE).insert(WORDS, after=TASK, cell_type=kind)
    assert written(tidy(copy)) == f"{WORDS}\n\n{MORE}"


@pytest.mark.parametrize("kind", ["raw", "code"])
@pytest.mark.parametrize("text", [WORDS, WRITE_HERE.replace(WRITE_HERE.splitlines()[2], WORDS)])
def test_an_answer_whose_cell_has_another_type_is_read(handout, kind, text):
    assert written(as_kind(handout(LAB), "robust", kind, text)) == WORDS
    assert written(as_kind(handout(LAB), "robust", kind)) == written(as_kind(handout(LAB), "robust", kind, " \n")) == ""


@pytest.mark.parametrize(
    "source, text",
    [
        (f'"""{WORDS}"""', WORDS),
        (f"# {WORDS}\n# {MORE}", f"{WORDS}\n{MORE}"),
        ("total = 1", ""),
        ("1", ""),
        ("%timeit 1", ""),
    ],
)
def test_words_in_a_code_cell_below_are_read(handout, source, text):
    assert written(handout(LAB).insert(source, after="robust")) == text


def test_comments_in_a_program_do_not_count_next_to_an_answer(handout):
    assert written(handout(LAB).write("robust", WORDS).insert("# a scratch cell", after="robust")) == WORDS


@pytest.mark.parametrize("tidy", [lambda copy: copy, without_ids])
def test_text_typed_into_the_tasks_own_cell_is_read(handout, tidy):
    task = "".join(handout(LAB).cell(TASK)["source"])
    for source in (f"{task}\n\n{WORDS}", f"{task} {WORDS}", f"{WORDS}\n{task}"):
        assert written(tidy(handout(LAB).write(TASK, source))) == WORDS
    for source in (task, f"{task}\n\n", task[: len(task) // 2], task.replace("a", "e"), ""):
        assert written(tidy(handout(LAB).write(TASK, source))) == ""


def test_a_copy_of_the_answer_is_read_once(handout):
    copy = handout(LAB).write("robust", WORDS).insert(WORDS, after="robust", cell_type="markdown")
    assert written(copy) == WORDS


def test_text_before_the_task_is_no_answer(handout):
    assert written(handout(LAB).insert(WORDS, after="check_by_hand", cell_type="markdown")) == ""


def test_words_around_the_answer_await_a_reader(judged, handout):
    result = judged(handout(LAB).insert(f'"{WORDS}"', after="robust"))
    [check] = [each for each in result.of_exercise("robust") if each.name == RUBRIC]
    assert check.outcome == "manual" and result.written["robust"] == WORDS


@pytest.mark.parametrize("kind", ["markdown", "raw"])
def test_code_in_a_cell_that_is_no_code_cell_is_explained(judged, handout, kind):
    copy = as_kind(handout(LAB, solved=True), "spread", kind)
    result = judged(copy)
    checks = result.of_exercise("spread")
    told = Finding("not-a-code-cell", {"kind": kind.capitalize()})
    assert checks and all(each.outcome == "missing" and each.findings == (told,) for each in checks)
    assert all(result.points(each) == 0 for each in checks)
    assert "turn it back into a code cell" in say("spread", told) and "celda de código" in say("spread", told, "es")
    lost = sum(result.max_points(each) for each in checks)
    assert result.score == judged(handout(LAB, solved=True)).score - lost
    untouched = judged(as_kind(handout(LAB), "spread", kind)).of_exercise("spread")
    assert all(each.findings == (Finding("unwritten"),) for each in untouched)


def test_an_answer_below_a_magic_that_keeps_no_names_is_explained(judged, handout):
    copy = handout(LAB, solved=True)
    source = "".join(copy.cell("midrange")["source"])
    for magic, ids in (("%%timeit -n 1 -r 1", {"in-magic"}), ("%%time", set())):
        checks = judged(copy.write("midrange", f"{magic}\n{source}")).of_exercise("midrange")
        assert {each.id for check in checks for each in check.findings} - {"outputs-differ"} == ids


def test_pictures_are_kept_and_make_two_answers_different(handout):
    """Jupyter calls each pasted picture image.png."""
    found = []
    for data in ("iVBORw0KGgo=", "iVBORw0KGg8="):
        copy = handout(LAB).write("robust", "See ![a drawing](attachment:image.png) and ![x](attachment:gone.png)")
        copy.cell("robust")["attachments"] = {"image.png": {"image/png": data}, "x.svg": {"image/svg+xml": "<svg/>"}}
        copy.insert("![](attachment:my%20photo.jpg)", after="robust", cell_type="markdown")
        copy.cells[copy.cells.index(copy.cell("robust")) + 1]["attachments"] = {"my photo.jpg": {"image/jpeg": data}}
        found.append(assemble(project.current(), copy.parsed()))
    for own, data in zip(found, ("iVBORw0KGgo=", "iVBORw0KGg8=")):
        text = own.written["robust"]
        assert {*own.attached.values()} == {f"data:image/png;base64,{data}", f"data:image/jpeg;base64,{data}"}
        assert all(f"(attachment:{name})" in text for name in own.attached) and "(attachment:gone.png)" in text
    assert found[0].written != found[1].written
