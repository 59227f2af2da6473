"""A lab in another language has the same cells, code, numbers and formulas; a text without a right translation is in English."""

import json
import os
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path

import polib
import pytest
from commands import commands

import labkit
from labkit.author.source import percent
from labkit.author.source.texts import Part, code_difference, difference
from labkit.author.source.translate import (
    Translation,
    edition,
    entries,
    faults,
    generated_editions,
    must_be_whole,
    translations,
)
from labkit.cli.doctor import _editions
from labkit.grade.intake.answer_cells import answered, find_answers
from labkit.grade.intake.handout import handout
from labkit.grade.intake.notebooks import notebook_in
from labkit.student.model import course, project
from labkit.student.model.errors import UserError

LAB = "01_spread"
NUMBERS = "Three runners finish in 58, 60 and 62 seconds."
FIGURE = 'from labkit.student.notebook.language import translated as _\n\n\ndef draw(ax, n):\n    ax.set(title=_("{n:,} values", n=n), xlabel=_("x"))\n'


@pytest.fixture
def lab():
    return course.current().labs[LAB]


@pytest.fixture
def begun(tmp_path, lab):
    """A course in English and Spanish. Each text of the lab is translated by itself."""
    here = project.current()
    for name in ("src", "solutions", "labs"):
        shutil.copytree(here.root / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(here.root / "labkit.toml", tmp_path)
    texts = {"es": {"hand_in": "## Entrega\n\nSube `{file}`."}}
    copied = replace(
        project.read(tmp_path), languages=("en", "es"), hand_in="## Hand in\n\nUpload `{file}`.", translations=texts
    )
    change(copied.solutions / f"{LAB}.py", "reveal, show\n", 'reveal, show, use_style\n\nuse_style(language="en")\n')
    (copied.source / copied.package / "spread/figures.py").write_text(FIGURE, "utf-8")
    renew(copied, lab)
    edit(copied, lambda entry: setattr(entry, "msgstr", entry.msgid))
    return copied


def change(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def renew(here, lab):
    return [each.path for each in translations(here, lab, "es") if each.renew()]


def edit(here, how, name=LAB):
    """Edit each entry of a translation file."""
    path = here.edition_of(name, "es")
    file = polib.pofile(path.read_text("utf-8"), wrapwidth=0)
    for entry in file:
        how(entry)
    path.write_text(str(file), "utf-8")


def confirm(entry):
    entry.flags = []


def left(here, lab):
    """The faults of a translation, without the name of the file."""
    return [line.removeprefix(f"solutions/es/{LAB}.po, ") for line in faults(here, lab, "es")]


def source_of(here, lab):
    return percent.read_source(here.solutions / f"{lab.name}.py", lab)


def words_of(here):
    return json.loads((here.source / here.package / "spread/translation.es.json").read_text("utf-8"))


def build(here, lab):
    for path, text in generated_editions(here, lab):
        (here.root / path).parent.mkdir(exist_ok=True)
        (here.root / path).write_text(text, "utf-8")


def test_a_translation_has_the_cells_with_words_the_messages_and_the_sentences_but_no_answers(begun, lab):
    contexts = [context for context, _ in entries(begun.edition_of(LAB, "es"))]
    assert {"title", "predict", "predict_spread", "spread", "titles.spread", None} <= {*contexts}
    assert not {"check_spread", "by_hand", "robust", "rubric"} & {*contexts}  # no words, or none for students
    for answer in percent.answers_in("\n".join(cell.source for cell in source_of(begun, lab).cells)):
        assert not any(line in begun.edition_of(LAB, "es").read_text("utf-8") for line in answer.splitlines())
    assert renew(begun, lab) == left(begun, lab) == []


def test_an_edition_has_the_cells_and_the_code_of_the_english(begun, lab):
    *_, (path, text) = generated_editions(begun, lab)
    assert path.as_posix() == f"labs/es/{LAB}.ipynb" and "cannot" not in text
    english, spanish = source_of(begun, lab), edition(begun, lab, "es")
    assert [cell.id for cell in spanish.cells] == [*(cell.id for cell in english.cells), percent.HAND_IN]
    assert percent.answers_in("\n".join(cell.source for cell in spanish.cells)) == percent.answers_in(
        "\n".join(cell.source for cell in english.cells)
    )
    student = {cell.id: cell.source for cell in percent.student_notebook(spanish).cells}
    assert 'use_style(language="es")' in student["setup"]
    assert 'NotImplementedError("spread: escribe aquí tu respuesta")' in student["spread"]
    assert "**Tu respuesta.**" in student["robust"] and f"Sube `{LAB}.ipynb`." in student[percent.HAND_IN]
    assert spanish.metadata.labkit == {"lab": LAB, "language": "es"}


@pytest.mark.parametrize(
    "context, old, new, says",
    [
        ("predict", "58, 60 and 62", "58, 60 y 61", "its numbers differ: only the English has 62 and only the translation has 61"),
        ("spread_text", r"\frac{1}{n}", r"\frac{2}{n}", "its formulas differ"),
        ("spread_text", "`ValueError`", "un error", "its pieces of code differ: only the English has `ValueError`"),
        ("predict_spread", "guess = None", "apuesta = None", "its code differs"),
        ("spread", "def spread(values)", "def spread(valores)", "its code differs"),
        ("spread", "# BEGIN ANSWER\n", "# BEGIN ANSWER\n    return 1\n", "remove the text between BEGIN ANSWER and END"),
        ("spread", "# BEGIN ANSWER\n", "", "it needs BEGIN ANSWER and END ANSWER where the English has them"),
        ("titles.lab", "Spread", "", "is not translated yet"),
        (None, "{n:,} values", "valores", "its placeholders differ"),
    ],
)  # fmt: skip
def test_a_wrong_translation_is_named_and_the_english_is_used(begun, lab, context, old, new, says):
    def translate(entry):
        if entry.msgctxt == context and old in entry.msgid:
            entry.msgstr = entry.msgid.replace(old, new)
        elif entry.msgctxt == "title":
            entry.msgstr += " Hola."

    edit(begun, translate)
    (fault,) = left(begun, lab)
    assert fault.startswith(f"{context or json.dumps(old)}: {says}")
    cells = {cell.id: cell.source for cell in edition(begun, lab, "es").cells}
    assert "Hola." in cells["title"] and (context not in cells or old.strip() in cells[context])
    with pytest.raises(UserError, match="remove the translation"):
        must_be_whole(begun, [lab])


def test_changed_english_is_used_until_its_translation_is_confirmed(begun, lab):
    english = begun.source / begun.package / "spread/words.en.toml"
    page = english.with_name("cheat_sheet.en.md")
    page.write_text("The spread of 2 values.\n", "utf-8")
    assert left(begun, lab) == ["cheat_sheet.en.md: is new or has changed: `labkit translate` adds it"]
    renew(begun, lab)
    edit(begun, lambda entry: setattr(entry, "msgstr", entry.msgid.replace("} values", "} valores")))
    change(begun.solutions / f"{LAB}.py", NUMBERS, f"{NUMBERS} They are tired.")
    change(english, 'lab = "Spread', 'lab = "The spread')
    change(page, "2 values", "2 or 3 values")
    change(begun.source / begun.package / "spread/figures.py", "} values", "} values in all")
    for says in ("is new or has changed", "its English has changed"):
        assert [each.partition(": ")[::2] for each in left(begun, lab) if says in each] and len(left(begun, lab)) == 4
        build(begun, lab)
        assert words_of(begun)["cheat_sheet"] == "The spread of 2 or 3 values.\n"
        assert words_of(begun)["sentences"] == {"{n:,} values in all": "{n:,} values in all"}
        renew(begun, lab)
    fuzzy = {
        context: entry.previous_msgid
        for (context, _), entry in entries(begun.edition_of(LAB, "es")).items()
        if entry.fuzzy
    }
    assert fuzzy[None] == "{n:,} values" and fuzzy["titles.lab"] == "Spread" and len(fuzzy) == 4
    edit(begun, confirm)
    assert [line.partition(": ")[2] for line in left(begun, lab)] == ["its numbers differ: only the English has 3"]
    build(begun, lab)
    assert words_of(begun)["sentences"] == {"{n:,} values in all": "{n:,} valores"}


def test_another_answer_leaves_a_translation_as_it_is(begun, lab):
    answer = "np.sqrt(np.mean(distances**2))"
    change(begun.solutions / f"{LAB}.py", f"return float({answer})", f"return {answer}")
    assert renew(begun, lab) == left(begun, lab) == []


def test_a_translation_that_is_no_longer_used_is_kept(begun, lab):
    figures = begun.source / begun.package / "spread/figures.py"
    figures.write_text("", "utf-8")
    assert renew(begun, lab) and "#~ msgid" in begun.edition_of(LAB, "es").read_text("utf-8")
    figures.write_text(FIGURE, "utf-8")
    assert renew(begun, lab) and left(begun, lab) == []


def test_the_english_setup_cell_has_to_state_its_language(begun, lab):
    change(begun.solutions / f"{LAB}.py", 'use_style(language="en")', "use_style()")
    assert 'cell setup: add use_style(language="en")' in next(faults(begun, lab, "es"))


def test_a_sentence_in_code_is_a_constant_and_has_one_translation_in_the_course(begun, lab):
    other = begun.edition_of("02_levels", "es")
    other.write_text('msgid "{n:,} values"\nmsgstr "{n:,} cifras"\n', "utf-8")
    assert left(begun, lab) == [f'solutions/es/{LAB}.po: "{{n:,}} values" has a different translation in {other.name}']
    change(begun.source / begun.package / "spread/figures.py", '_("{n', '_(f"{n')
    with pytest.raises(UserError, match=r"figures.py, line 5: _\(\) needs a quoted sentence"):
        left(begun, lab)


@pytest.mark.parametrize(
    "english, other, says",
    [
        ("At most 10,000 of 3,000.", "Como mucho 10\u00a0000 de 3000.", None),
        (
            "It is 10,000.",
            "Es 10,000.",
            "its numbers differ: only the English has 10000 and only the translation has 10,000",
        ),
        ("It is 5.31.", "Es 5,31.", "its numbers differ: only the English has 5.31 and only the translation has 5,31"),
        ("One step.", "Un paso de 2.", "its numbers differ: only the translation has 2"),
        (r"$a \text{ for } b$", r"$a \text{ para } b$", None),
        (r"$\sin x$", r"$\operatorname{sen} x$", None),
        ("$a$ and $b$", "$b$ y $a$", None),
        (r"$T = 200{,}000$", r"$T = 200\,000$", None),
        (r"$T = 200{,}000$", r"$T = 20\,000$", "its formulas differ"),
        ("[Next](02.ipynb)", "[Sigue](es/02.ipynb)", "its link targets differ"),
        ("<details><summary>Hint</summary>", "<details><b>Pista</b>", "its HTML tags differ"),
        ('<img alt="a cat">', '<img alt="un gato">', None),
        ("```python\nx = f(y)  # a 2 × 2 matrix\n```", "```python\nx = f(y)  # una matriz de 2 × 2\n```", None),
        (
            "```python\nx = f(y)  # a 2 × 2 matrix\n```",
            "```python\nx = f(y)  # una matriz de 3 × 3\n```",
            "its numbers differ",
        ),
        ("```python\nx = f(y)  # a number\n```", "```python\nx = f(z)  # un número\n```", "its pieces of code differ"),
    ],
)
def test_words_may_differ_and_facts_may_not(english, other, says):
    assert (difference(english, other) or "").startswith(says or "") and bool(difference(english, other)) == bool(says)


@pytest.mark.parametrize(
    "english, other, says",
    [
        ('print(f"below {x:.0e}: {x < 1}")', 'print(f"menos de {x:.0e}: {x < 1}")', None),
        ('print(f"below {x:.0e}: {x < 1}")', 'print(f"menos de {x:.1e}: {x < 1}")', "its code differs"),
        ('check("spread")', 'check("dispersion")', "its code differs"),
        ('def f():\n    """One of 2."""', 'def f():\n    """Uno de 2."""', None),
        ('"""{letter: name} {x:.1f}"""', '"""{letra: nombre} {x:.1f}"""', None),
        ('"""{letter: name} {x:.1f}"""', '"""{letra: nombre} {x:.2f}"""', "its placeholders differ"),
        ("x = None  # 1: a number", "x = None  # 2: un número", "its numbers differ"),
        ("x = 1", "x = (", "its code is not valid Python"),
    ],
)
def test_only_words_of_code_may_differ(english, other, says):
    found = code_difference(english, other)
    assert found is None if says is None else found and found.startswith(says)


def test_a_copy_in_any_language_counts_as_untouched(begun, lab):
    build(begun, lab)
    handed_out = handout(begun, LAB)
    spanish = begun.labs_in("es") / f"{LAB}.ipynb"
    untouched = notebook_in(begun, spanish)
    assert untouched.language == "es"
    assert answered(handed_out, find_answers(handed_out, untouched)) == 0
    change(spanish, '"language": "es"', '"language": "?"')
    assert notebook_in(begun, spanish).language == "es"  # its setup cell says so
    change(spanish, "escribe aquí tu respuesta", "2")
    assert answered(handed_out, find_answers(handed_out, notebook_in(begun, spanish))) == 3


def test_doctor_names_what_is_missing_and_what_is_out_of_date(begun):
    ((good, text),) = _editions(begun)
    assert good and text.startswith("1 of 2 labs are translated into es\n  not translated yet: 02_levels;")
    change(begun.solutions / f"{LAB}.py", NUMBERS, f"{NUMBERS} They are tired.")
    ((good, text),) = _editions(begun)
    assert not good and "predict: is new or has changed" in text


@pytest.fixture
def run(begun):
    """Run a command in the course, whose translation has not been started."""
    shutil.rmtree(begun.solutions / "es")
    shutil.copytree(project.current().autograder, begun.autograder)
    (begun.root / "labkit.toml").write_text(f'package = "{begun.package}"\nlanguages = ["en", "es"]\n', "utf-8")
    usual = {name: value for name, value in os.environ.items() if name != project.VARIABLE}
    return partial(commands().run, cwd=begun.root, env=usual)


def test_the_command_starts_a_translation_and_lists_what_is_left(begun, run):
    assert f"{LAB} has no es translation: start one" in run("build", "01").stderr
    done = run("translate", "01")
    assert done.returncode == 2 and "title: is not translated yet" in done.stdout
    assert f"{LAB}: 17 texts still need work in es" in done.stderr and (begun.labs / "es" / f"{LAB}.ipynb").exists()
    done = run("build", "01")
    assert done.returncode == 0 and "title: is not translated yet" in done.stderr
    done = run("release", "--out", "out", "--lab", "01")
    assert done.returncode == 2 and "title: is not translated yet" in done.stderr and not (begun.root / "out").exists()
    edit(begun, lambda entry: setattr(entry, "msgstr", entry.msgid))
    assert run("translate", "01", "--to", "es").returncode == 0
    assert "--to fr: labkit.toml has the languages en, es" in run("translate", "01", "--to", "fr").stderr
    (begun.root / "labkit.toml").write_text(f'package = "{begun.package}"\n', "utf-8")
    done = run("translate", "01", "--to", "es")
    assert done.returncode == 2 and "labkit.toml has no language but English: add one" in done.stderr


SOURCE = Path(labkit.__file__).parent
ROOT = SOURCE.parents[1]


def test_every_message_has_its_translation():
    part = Part("labkit", ROOT, SOURCE, (SOURCE / "author/source/template",))
    translation = Translation(part, ROOT / "translations/es.po", "es")
    stale = [translation.path.name] if translation.renew() else []
    for path, text in Translation(part, translation.path, "es").words_files():
        if not (ROOT / path).exists() or (ROOT / path).read_text("utf-8") != text:
            (ROOT / path).write_text(text, "utf-8")
            stale.append(path.as_posix())
    assert not [*Translation(part, translation.path, "es").faults()]
    assert not stale, "these files were outdated; the test has rewritten them: commit them"
