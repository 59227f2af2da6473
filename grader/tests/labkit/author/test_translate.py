"""A lab in another language has the same cells, code, numbers and formulas, and every word is translated."""

import os
import shutil
from dataclasses import replace
from functools import partial

import pytest
from commands import commands

from labkit.author.source import percent, texts, translate
from labkit.author.source.build import generated_editions
from labkit.author.source.edition import digest_of_cell, edition, read, translatable
from labkit.author.source.same_facts import code_difference, difference
from labkit.cli.pipeline import installation
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
    """A project with a started edition of the lab. Its texts are still English, but its cells are not marked as untranslated."""
    here = project.current()
    for name in ("src", "solutions", "labs"):
        shutil.copytree(here.root / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    texts = {"es": {"hand_in": "## Entrega\n\nSube `{file}`."}}
    copied = replace(
        here, root=tmp_path, languages=("en", "es"), hand_in="## Hand in\n\nUpload `{file}`.", translations=texts
    )
    source = copied.solutions / f"{LAB}.py"
    change(source, "reveal, show\n", 'reveal, show, use_style\n\nuse_style(language="en")\n')
    for english in (copied.source / copied.package).rglob("words.en.toml"):
        shutil.copy(english, english.with_name("words.es.toml"))
    list(translate.renew(copied, lab, "es"))
    change(copied.edition_of(LAB, "es"), " untranslated=true", "")
    return copied


def change(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def source_of(here, lab):
    return percent.read_source(here.solutions / f"{lab.name}.py", lab)


def test_an_edition_starts_with_the_cells_that_have_words_and_without_answers(begun, lab):
    cells = read(begun.edition_of(LAB, "es"))
    assert [*cells] == [cell.id for cell in translatable(source_of(begun, lab))]
    assert {"title", "predict", "predict_spread", "spread"} <= {*cells}
    assert not {"check_spread", "by_hand", "robust", "rubric"} & {*cells}  # no words, or none for students
    for answer in percent.answers_in(source_of(begun, lab)):
        assert not any(line in begun.edition_of(LAB, "es").read_text("utf-8") for line in answer.splitlines())


def test_an_edition_has_the_cells_and_the_code_of_the_english(begun, lab):
    ((path, text),) = generated_editions(begun, lab)
    assert path.as_posix() == f"labs/es/{LAB}.ipynb" and "cannot" not in text
    english, spanish = source_of(begun, lab), edition(begun, lab, "es")
    assert [cell.id for cell in spanish.cells] == [*(cell.id for cell in english.cells), percent.HAND_IN]
    assert percent.answers_in(spanish) == percent.answers_in(english)
    student = {cell.id: cell.source for cell in percent.student_notebook(spanish).cells}
    assert 'use_style(language="es")' in student["setup"]
    assert 'NotImplementedError("spread: escribe aquí tu respuesta")' in student["spread"]
    assert "**Tu respuesta.**" in student["robust"] and f"Sube `{LAB}.ipynb`." in student[percent.HAND_IN]
    assert spanish.metadata.labkit == {"lab": LAB, "language": "es"}


@pytest.mark.parametrize(
    "old, new, says",
    [
        ("58, 60 and 62", "58, 60 y 61", "cell predict: its numbers differ: only the English has 62 and only the translation has 61"),
        (r"\frac{1}{n}", r"\frac{2}{n}", "cell spread_text: its formulas differ"),
        ("`ValueError`", "un error", "cell spread_text: its pieces of code differ: only the English has `ValueError`"),
        ("guess = None", "apuesta = None", "cell predict_spread: its code differs"),
        ("def spread(values)", "def spread(valores)", "cell spread: its code differs"),
        ("# BEGIN ANSWER\n", "# BEGIN ANSWER\n    return 1\n", "cell spread: remove the text between BEGIN ANSWER and END"),
        ('name="title" english="', 'name="title" english="0', "cell title: the English has changed since its translation"),
        ('name="title"', 'name="titulo"', "cell title: is missing"),
        ('name="predict" english', 'untranslated=true name="predict" english', "cell predict: is not translated yet"),
        ("# %% [markdown] name=\"predict\"", "# %% [markdown] name=\"more\" english=\"1\"\n# Más\n\n# %% [markdown] name=\"predict\"",
         "cell more: the English lab has no such cell to translate"),
    ],
)  # fmt: skip
def test_differences_are_named_with_lab_and_cell(begun, lab, old, new, says):
    change(begun.edition_of(LAB, "es"), old, new)
    with pytest.raises(UserError) as error:
        list(generated_editions(begun, lab))
    assert f"solutions/es/{LAB}.py, {says}" in str(error.value) and "\n" not in str(error.value)


def test_changed_english_is_named_until_its_translation_is_accepted(begun, lab):
    change(begun.solutions / f"{LAB}.py", NUMBERS, f"{NUMBERS} They are tired.")
    with pytest.raises(UserError, match=r"cell predict: the English has changed .*--accept predict"):
        list(generated_editions(begun, lab))
    assert list(translate.renew(begun, lab, "es", ["predict"])) == [begun.edition_of(LAB, "es")]
    assert list(generated_editions(begun, lab))
    with pytest.raises(UserError, match="there is no cell or message 'nonsense' to accept"):
        list(translate.renew(begun, lab, "es", ["nonsense"]))


def test_another_answer_leaves_a_translation_as_it_is(begun, lab):
    before = {cell.id: digest_of_cell(cell) for cell in source_of(begun, lab).cells}
    change(
        begun.solutions / f"{LAB}.py",
        "return float(np.sqrt(np.mean(distances**2)))",
        "return np.sqrt(np.mean(distances**2))",
    )
    assert {cell.id: digest_of_cell(cell) for cell in source_of(begun, lab).cells} == before
    assert list(generated_editions(begun, lab))


def test_renewing_again_changes_nothing_and_loses_no_text(begun, lab):
    assert list(translate.renew(begun, lab, "es")) == []
    change(begun.edition_of(LAB, "es"), 'name="predict"', 'name="gone"')
    list(translate.renew(begun, lab, "es"))
    cells = read(begun.edition_of(LAB, "es"))
    assert NUMBERS in cells["gone"].source and cells["predict"].untranslated


def test_a_setup_cell_has_to_say_its_language(begun, lab):
    change(begun.solutions / f"{LAB}.py", 'use_style(language="en")', "use_style()")
    with pytest.raises(UserError, match=r'cell setup: add use_style\(language="en"\)'):
        list(generated_editions(begun, lab))


def test_sentences_of_a_labs_code_need_a_translation(begun, lab):
    figures = begun.source / begun.package / "spread" / "figures.py"
    figures.write_text(FIGURE, "utf-8")
    path = texts.file_of(begun, LAB, "es")
    assert [fault for fault in texts.faults(begun, LAB, "es") if "no translation" in fault] == [
        f'{begun.below(path)}: no translation of "{{n:,}} values", which is in {begun.below(figures)}'
    ]
    list(translate.renew(begun, lab, "es"))
    for es, says in (
        ("valores", "its placeholders differ"),
        ("{n:,} valores", None),
        ("{n:,} valores, 2", "its numbers differ"),
    ):
        path.write_text(f'[[text]]\nen = "{{n:,}} values"\nes = "{es}"\n', "utf-8")
        found = [*texts.faults(begun, LAB, "es")]
        assert len(found) == bool(says) and all(says in fault for fault in found)
    path.write_text('[[text]]\nen = "{n:,} values"\nes = "{n:,} valores"\n', "utf-8")
    figures.write_text(FIGURE.replace("} values", "} values in all"), "utf-8")
    assert any("is no longer in the code" in fault for fault in texts.faults(begun, LAB, "es"))
    list(translate.renew(begun, lab, "es"))
    assert texts.translations(path) == {"{n:,} values in all": "{n:,} valores"}
    assert [
        "the English has changed; update the translation and remove `was`" in fault
        for fault in texts.faults(begun, LAB, "es")
    ] == [True]
    change(path, 'was = "{n:,} values"\n', "")
    assert not [*texts.faults(begun, LAB, "es")]
    figures.write_text(FIGURE.replace('_("{n', '_(f"{n'), "utf-8")
    with pytest.raises(UserError, match=r"figures.py, line 5: _\(\) needs a quoted sentence"):
        list(texts.faults(begun, LAB, "es"))


def test_a_sentence_has_one_translation_in_the_course(begun):
    for name, es in (("spread", "valor"), ("levels", "cifra")):
        folder = begun.source / begun.package / name
        (folder / "figures.py").write_text(FIGURE.replace("{n:,} values", "value"), "utf-8")
        (folder / "texts.es.toml").write_text(f'[[text]]\nen = "value"\nes = "{es}"\n', "utf-8")
    assert [*texts.faults(begun, LAB, "es")] == [
        f'src/{begun.package}/spread/texts.es.toml: "value" has a different translation in src/{begun.package}/levels/texts.es.toml'
    ]


def test_a_message_follows_its_english(begun, lab):
    english, spanish = (begun.source / begun.package / "spread" / f"words.{each}.toml" for each in ("en", "es"))
    english.write_text('[spread]\nhalf = "You return {seen}, half of it."\n', "utf-8")
    spanish.write_text('[spread]\nhalf = "Devolviste {seen}, la mitad."\n', "utf-8")
    left = partial(translate.faults, begun, lab, "es")
    assert [each.partition(": ")[2] for each in left()] == ["has no digest of its English: `labkit translate` adds it"]
    list(translate.renew(begun, lab, "es"))
    assert not [*left()]
    change(english, "half of it", "which is half")
    for _ in range(2):  # renewing alone accepts nothing
        (fault,) = left()
        assert "spread.half: the English has changed" in fault and "`labkit translate --accept spread.half`" in fault
        list(translate.renew(begun, lab, "es"))
    list(translate.renew(begun, lab, "es", ["spread.half"]))
    assert not [*left()]
    change(spanish, "{seen}", "{visto}")
    assert "its placeholders differ" in next(left())
    spanish.unlink()
    with pytest.raises(UserError, match="spread.half: is missing"):
        list(generated_editions(begun, lab))
    change(english, "half", "third")
    spanish.write_text('[spread]\nhalf = "la mitad"\nthird = "un tercio"\n', "utf-8")
    list(translate.renew(begun, lab, "es"))
    assert "spread.half: there is no such message in English" in " ".join(left())
    with pytest.raises(UserError, match="there is no cell or message 'spread.half'"):
        list(translate.renew(begun, lab, "es", ["spread.half"]))


def test_a_cheat_sheet_follows_its_english(begun, lab):
    english, page = (begun.source / begun.package / "spread" / f"cheat_sheet.{each}.md" for each in ("en", "es"))
    english.write_text("- The spread is $s$, at most 2.\n", "utf-8")
    says = []
    for step in (lambda: translate.renew(begun, lab, "es"), lambda: change(page, " untranslated=true", ""),
                 lambda: change(english, "most 2", "most 3"),
                 lambda: translate.renew(begun, lab, "es", ["cheat_sheet"]), lambda: change(page, "most 2", "most 3")):  # fmt: skip
        says.append(" ".join(translate.faults(begun, lab, "es")))
        list(step() or ())
    assert "is missing" in says[0] and "is not translated yet" in says[1] and says[2] == ""
    assert "the English has changed" in says[3] and "its numbers differ" in says[4]
    assert not [*translate.faults(begun, lab, "es")]


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
        (r"$a \text{ for } b$", r"$a \text{ para } b$", None),
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
    for path, text in generated_editions(begun, lab):
        (begun.root / path).parent.mkdir(exist_ok=True)
        (begun.root / path).write_text(text, "utf-8")
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
    ((good, text),) = installation._editions(begun)
    assert good and text.startswith("1 of 2 labs are translated into es\n  not translated yet: 02_levels;")
    change(begun.solutions / f"{LAB}.py", NUMBERS, f"{NUMBERS} They are tired.")
    ((good, text),) = installation._editions(begun)
    assert not good and "cell predict: the English has changed" in text


def test_the_command_begins_an_edition_and_says_what_is_left(begun):
    shutil.rmtree(begun.solutions / "es")
    (begun.root / "labkit.toml").write_text(f'package = "{begun.package}"\nlanguages = ["en", "es"]\n', "utf-8")
    usual = {name: value for name, value in os.environ.items() if name != project.VARIABLE}
    run = partial(commands().run, "translate", "01", cwd=begun.root, env=usual)
    done = run()
    assert done.returncode == 2 and "cell title: is not translated yet" in done.stdout
    assert f"{LAB}: 9 texts" in done.stderr and "still need work in es" in done.stderr
    change(begun.edition_of(LAB, "es"), " untranslated=true", "")
    words = begun.source / begun.package / "spread" / "words.es.toml"
    shutil.copy(words.with_name("words.en.toml"), words)
    done = run("--to", "es")
    assert done.returncode == 0 and (begun.labs / "es" / f"{LAB}.ipynb").exists()
    assert "--to fr: labkit.toml has the languages en, es" in run("--to", "fr").stderr


@pytest.mark.parametrize("options", [(), ("--to", "es")])
def test_the_command_asks_for_a_second_language_in_a_course_with_one(begun, options):
    (begun.root / "labkit.toml").write_text(f'package = "{begun.package}"\n', "utf-8")
    usual = {name: value for name, value in os.environ.items() if name != project.VARIABLE}
    done = commands().run("translate", "01", *options, cwd=begun.root, env=usual)
    assert done.returncode == 2 and "labkit.toml has no language but English: add one" in done.stderr
