"""Mistakes from public programs: the data, the page made from them, and the sentence below a mistake that shipped.

The names that they get are tested with the other samples, in test_grader_graded.py.
"""

import re
import sys

import numpy as np
import pytest
from in_process import handle_of

from autograder.samples import all_samples
from autograder.shipped import OUTSIDE, SHIPPED
from autograder.wrong_tables import bfloat16
from encoding_labs import COURSE
from labkit.student.judging.words import _TEMPLATES, load
from labkit.student.model import project

sys.path.insert(0, str(project.current().root / "docs"))
import grader_graded
import shipped


def test_each_mistake_has_a_thread_an_exercise_and_words_in_both_languages():
    assert len({each.where for each in SHIPPED}) == len(SHIPPED) >= 20
    for each in SHIPPED:
        assert {each.exercise, each.teaches} <= {*COURSE.exercises}, each.where
        assert each.threads and all(re.fullmatch(r"[\w.-]+/[\w.-]+#\d+", one) for one in (*each.threads, *each.cited))
        assert {*each.es} in ({"did"}, {"did", "where"}) and each.es["did"] != each.did, each.where


def test_each_mistake_is_a_sample_with_its_names():
    samples = {sample.style: sample for _, sample in all_samples()}
    for each in SHIPPED:
        sample = samples[OUTSIDE + each.where]
        assert (sample.exercise, sample.mistakes) == (each.exercise, each.mistakes)


def row_of(where, positions, d=64):
    """What the page says of a program, the numbers in it, and the rows that its formula gives."""
    [each] = (each for each in SHIPPED if each.where == where)
    numbers = [float(number.replace(",", "")) for number in re.findall(r"-?\b\d[\d,]*(?:\.\d+)?", each.did)]
    return each.did, numbers, each.value(np.array(positions), d) if each.exercise == "sinusoidal_pe" else None


def test_the_numbers_on_the_page_are_computed_and_not_copied_from_a_thread():
    _, (position, rounded, wrong, right), _ = row_of("candle", [0])
    assert bfloat16(position) == rounded and np.cos([rounded, position]).round(2).tolist() == [wrong, right]
    _, (step, rounded, _), _ = row_of("DiffSynth-Studio", [0])
    assert bfloat16(step) == rounded
    _, (count, error), rows = row_of("GPT-NeoX", range(2_048), 32)
    angles = np.arange(count)[:, None] * 10_000.0 ** (-np.arange(0, 32, 2) / 32)
    assert np.abs(rows[:, 1::2] - np.cos(angles)).max().round(2) == error
    _, (factor, *_), [row] = row_of("LoFTR", [1e-3])
    assert round(row[0] / row[2], 1) == factor
    said, _, [row] = row_of("BERT-pytorch", [3])
    assert len(np.unique(row.round(9))) == 2 and "a row had only two different numbers" in said
    said, _, [row] = row_of("WaveGrad", [1])
    assert np.ptp(row[1:32]) < 1e-3 < row[1] - row[0] and "Nearly all pairs turned at the same speed" in said
    *_, [row] = row_of("tensor2tensor", [1])
    lives_now = (shipped.SITE / "en" / "where_it_lives_now.md").read_text("utf-8")
    assert np.isclose(row[31], 1 / 10_000) and "slowest hand turns by exactly 1/10,000 per step" in lives_now


def test_the_sentence_below_a_mistake_names_a_program_from_the_data():
    load(COURSE)
    stated = {
        key: words for key, words in _TEMPLATES.items() if key[1].startswith("shipped ") and key[0] in COURSE.exercises
    }
    where = {each.where: each for each in SHIPPED if not each.proposed}
    assert len({words["en"] for words in stated.values()}) >= 15
    for (exercise, id), words in stated.items():
        program, mistake = where[words["en"]], id.removeprefix("shipped ").partition("/")[0]
        assert mistake in program.mistakes and words["es"] == program.words("where", "es"), (exercise, id)
        lab = COURSE.lab_of(program.exercise)
        assert COURSE.lab_of(exercise) == lab


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("each", SHIPPED, ids=lambda each: each.where)
def test_a_message_names_at_most_one_program(each):
    examination = handle_of(each.exercise, each.answer).examination
    for language, kind in (("en", "in good company"), ("es", "en buena compañía")):
        for said in (examination.line(language), examination.shown(language)):
            assert said.count(kind) <= 1
    names = {f"shipped {finding.id}" for finding in examination.findings}
    known = any((each.exercise, name) in _TEMPLATES for name in names)
    assert ("in good company" in examination.line()) == known and not (known and each.proposed)


def test_the_picture_shows_the_formulas_of_today():
    if (drawn := shipped.drawn()) != shipped.shown():
        shipped.draw(shipped.PICTURE)
    assert drawn == shipped.shown(), (
        f"docs/site/{shipped.PICTURE.name} was outdated. The test has drawn it again: look at it and commit it"
    )


@pytest.mark.parametrize("each", SHIPPED, ids=lambda each: each.where)
def test_the_two_pictures_of_a_mistake_differ_visibly(each):
    right, wrong = shipped.pair_of(each)
    assert right.shape == (shipped.ROWS, shipped.COLUMNS) and np.isfinite(wrong).all()
    assert wrong.shape != right.shape or (np.abs(wrong - right) > 0.1).mean() > 0.01


@pytest.mark.parametrize("language", shipped.PAGES)
def test_the_page_has_each_mistake_with_its_name_threads_and_exercise(language):
    parts = shipped.page(language).split("\n## ")[1:]
    assert len(parts) == len(SHIPPED)
    for each, part in zip(SHIPPED, parts):
        expected = (
            each.formula,
            each.words("did", language),
            COURSE.lab_of(each.teaches),
            *each.mistakes,
            *each.threads,
        )
        assert all(text in part for text in expected) and "{" not in part, part


def test_the_totals_count_them_as_mistakes_of_others():
    rows = [line for line in grader_graded.page().splitlines() if re.match(r"\| (\d\d|all) ", line)]
    outside = [row.split("|")[-2].strip() for row in rows]
    of = {lab[:2]: [each for each in SHIPPED if COURSE.lab_of(each.exercise) == lab] for lab in COURSE.names}
    counted = [f"{sum(bool(one.mistakes) for one in each)} of {len(each)}" if each else "–" for each in of.values()]
    assert outside == [*counted, f"{sum(bool(each.mistakes) for each in SHIPPED)} of {len(SHIPPED)}"]
