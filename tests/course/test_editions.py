"""The Spanish labs have the same cells, code, numbers and points as the English ones, and no English text."""

import re
from collections.abc import Iterator

import nbformat
import pytest

from encoding_labs import COURSE
from labkit.author.source import percent
from labkit.author.source.texts import code_difference, difference
from labkit.author.source.translate import edition, editions_of, entries, faults, translations
from labkit.student.judging.words import load, stored_in, title
from labkit.student.model import project

HERE = project.current()
TRANSLATED = [name for name, lab in COURSE.labs.items() if "es" in editions_of(HERE, lab)]
LABS = [
    pytest.param(name, marks=() if "04" in name else pytest.mark.long("like the test on lab 04")) for name in TRANSLATED
]
GLOSSARY = HERE.root / "docs" / "glossary.es.md"


def cells_of(name: str, language: str) -> list:
    return nbformat.read(HERE.labs_in(language) / f"{name}.ipynb", as_version=4).cells


@pytest.mark.parametrize("name", COURSE.names)
def test_a_translation_is_complete_and_right(name):
    assert name in TRANSLATED
    assert [*faults(HERE, COURSE.labs[name], "es")] == [], f"use `labkit translate {name[:2]}`"


@pytest.mark.parametrize("name", TRANSLATED)
def test_cells_code_numbers_and_formulas_are_those_of_the_english(name):
    english, spanish = cells_of(name, "en"), cells_of(name, "es")
    assert [(cell.id, cell.cell_type, cell.metadata) for cell in spanish] == [
        (cell.id, cell.cell_type, cell.metadata) for cell in english
    ]
    wrong = []
    for one, other in zip(english, spanish):
        there = other.source.replace('use_style(language="es")', 'use_style(language="en")')
        wrong.append((one.id, (code_difference if one.cell_type == "code" else difference)(one.source, there)))
    assert [each for each in wrong if each[1]] == []
    metadata = nbformat.read(HERE.labs_in("es") / f"{name}.ipynb", as_version=4).metadata
    assert metadata.labkit == {"lab": name, "language": "es"}


def told_when_earned(name: str) -> Iterator[str]:
    """Text that the Spanish lab shows only after a guess, after an answer, or when all checks have passed."""
    own, _ = translations(HERE, COURSE.labs[name], "es")
    asked = ("guesses.py", "questions.py")
    yield from (own[text.key] for text in own.part.sentences if text.where.endswith(asked))
    yield from re.split(r"\n(?=\S)", stored_of(name)["cheat_sheet"])


def stored_of(name: str) -> dict:
    return stored_in(COURSE.expected_of(name).parent)["es"]


@pytest.mark.parametrize("name", TRANSLATED)
def test_no_result_is_given_away_before_its_exercise(name):
    cells = [" ".join(cell.source.split()) for lab in TRANSLATED for cell in cells_of(lab, "es")]
    told = [" ".join(text.split()) for text in told_when_earned(name) if len(text) > 20]
    assert len(told) > 6 and [text for text in told if any(text in cell for cell in cells)] == []


@pytest.mark.parametrize("name", TRANSLATED)
def test_no_text_is_left_in_english(name):
    """No text is the same as in English, and no Markdown cell contains short English words such as "the"."""
    english = {cell.id: cell.source for cell in cells_of(name, "en")}
    little = re.compile(r"\b(?:the|and|of|is|are|which|your|with|that|from)\b")
    for cell in cells_of(name, "es"):
        quoted = r'`[^`]*`|"[^"]*"|«[^»]*»|^- \[\*[^*\n]+\*'  # also titles in the list of sources
        text = re.sub(quoted, "", cell.source, flags=re.MULTILINE) if cell.cell_type == "markdown" else ""
        assert not little.findall(text), cell.id
        assert cell.cell_type == "code" or cell.source != english[cell.id], cell.id
    assert [
        text for text, other in stored_of(name)["sentences"].items() if len(text.split()) > 2 and text == other
    ] == []


def avoided() -> list[str]:
    """The words listed under "No se usa" (not used), the last section of the glossary."""
    section = GLOSSARY.read_text("utf-8").split("## No se usa")[1]
    return [word.strip() for entry in section.split("·") for word in entry.split("(")[0].split(",") if word.strip()]


def spanish_texts() -> Iterator[tuple[str, str]]:
    for path in sorted((HERE.solutions / "es").glob("*.po")):
        for (_, english), entry in entries(path).items():
            yield f"{path.name}: {english[:60]}", entry.msgstr
    yield "labkit.toml", (HERE.root / "labkit.toml").read_text("utf-8")


def test_words_that_the_glossary_avoids_are_not_used():
    words = avoided()
    assert {"rodar", "producto punto"} <= {*words} and len(words) > 10
    used = re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\b", re.IGNORECASE)
    assert used.search("hay que rodar la tabla")
    assert [(path, found) for path, text in spanish_texts() for found in used.findall(text)] == []


def in_spanish(handout, name: str, solved: bool = False):
    """A student's copy of the Spanish lab, either untouched or solved with the solution's answers."""
    copy, source = handout(name), edition(HERE, COURSE.labs[name], "es")
    copy.notebook = nbformat.from_dict(
        percent.solution_notebook(source) if solved else percent.student_notebook(source)
    )
    copy.cells = copy.notebook["cells"]
    return copy


@pytest.mark.parametrize("name", LABS)
def test_a_spanish_submission_is_graded_as_the_english_one(judged, handout, name):
    """Also tests a submission with a changed setup cell, which grading runs."""
    english, spanish = judged(handout(name, solved=True)), in_spanish(handout, name, solved=True)
    changed = in_spanish(handout, name, solved=True)
    changed.write("setup", changed.cell("setup")["source"] + "\nimport math\n")
    for copy in (spanish, changed):
        result = judged(copy)
        assert result.score == english.score == english.max_score and copy.parsed().language == "es"
        assert [(check.name, check.outcome) for check in result.checks] == [
            (each.name, each.outcome) for each in english.checks
        ]
    wrong = next(
        exercise.name for exercise in COURSE.labs[name].exercises if exercise.kind == "function" and exercise.checked
    )
    said = judged(in_spanish(handout, name, solved=True).write(wrong, f"def {wrong}(*given):\n    return None")).checks
    assert any("devolvió None" in check.message("es") and "returned None" in check.message("en") for check in said)


@pytest.mark.parametrize("name", LABS)
def test_an_untouched_spanish_lab_has_no_answer(judged, handout, name):
    result = judged(in_spanish(handout, name))
    assert result.score == 0 and {check.outcome for check in result.checks} == {"missing"}


def plain_of(outputs: list) -> str:
    return "\n".join(each.get("text") or each.get("data", {}).get("text/plain", "") for each in outputs)


@pytest.mark.parametrize("name", LABS)
def test_the_solution_runs_is_right_and_shows_the_numbers_of_the_english(name):
    """The Spanish solution's printed outputs and figure descriptions have the same numbers as those of the committed English one."""
    load(COURSE)
    lab = COURSE.labs[name]
    spanish = percent.execute(percent.solution_notebook(edition(HERE, lab, "es")), HERE.solutions, HERE.source)
    english = nbformat.read(HERE.solutions / f"{name}.ipynb", as_version=4)
    shown = {cell.id: plain_of(cell.outputs) for cell in spanish.cells if cell.cell_type == "code"}
    for cell in english.cells:
        if cell.cell_type == "code":
            assert difference(plain_of(cell.outputs), shown[cell.id]) is None, cell.id
    for exercise in lab.exercises:
        if exercise.checked:
            assert shown[f"check_{exercise.name}"].startswith(f"✔ {title(exercise.name, 'es')}: ")
    said = "\n".join(shown.values())
    assert "[Figure:" not in said and "[Figura:" in said
