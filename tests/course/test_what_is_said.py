"""Feedback on wrong answers fits the answer. In each case tested here it once did not."""

import math
import re

import numpy as np
import pytest
from in_process import SomeAnswers, verdicts

from autograder.build_the_table.samples import name_the_mistake
from autograder.samples import all_samples
from encoding_labs import COURSE
from encoding_labs.base_sweep.exercises import judge_curves
from encoding_labs.heatmap import curves
from encoding_labs.precision_and_cost.arguments import Positions
from labkit.grade.judge.answers import Handle, NotPassed
from labkit.model.course import Probe
from labkit.student.calls.calling import call_answer, read_reply, received, reply
from labkit.student.judging.observation import Observation, judge
from labkit.student.judging.words import load, say_all
from labkit.student.notebook.examine import examination_of

SAMPLES = {(sample.exercise, sample.style): sample.answer for _, sample in all_samples()}


def said(exercise, answer, language="en"):
    """The message that the check in the notebook prints for an answer."""
    return say_all(exercise, examination_of(COURSE, exercise, {exercise: answer}).findings, language)


def graded(exercise, answer):
    """The findings from each graded test that an answer fails."""
    return [each.findings for each in verdicts(exercise, answer) if not each.passed]


def test_a_wrong_shape_at_a_fixed_size_is_shown_with_the_call_but_without_the_returned_shape():
    made_once = SAMPLES["sinusoidal_pe", "five_thousand_rows_made_once"]
    ((finding,),) = graded("sinusoidal_pe", made_once)
    assert finding.id == "fixed-shape" and finding.facts == {"call": "sinusoidal_pe(12000, 2)", "wanted": "(12000, 2)"}


def of_sample(exercise, style, language="en"):
    return said(exercise, SAMPLES[exercise, style], language)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("exercise", "style", "english", "spanish"),
    [
        ("sinusoidal_pe", "in_float64", "asks for dtype float32; yours is float64", "float32, y el tuyo es float64"),
        ("sinusoidal_pe", "complex_dtype", "yours is complex128", "el tuyo es complex128"),
        ("sinusoidal_pe", "columns_as_rows", "axes of your table are swapped", "están intercambiados"),
        ("sinusoidal_pe", "with_a_batch_axis", "yours has 3", "la tuya tiene 3"),
        ("sinusoidal_pe", "flattened", "yours has 1", "la tuya tiene 1"),
        (
            "sinusoidal_pe",
            "a_list_of_lists",
            "The exercise asks for a NumPy array.",
            "El ejercicio pide un array de NumPy.",
        ),
        ("frequencies", "a_list", "The exercise asks for a NumPy array.", "El ejercicio pide un array de NumPy."),
        ("frequencies", "a_column", "The exercise asks for an array with one axis; yours has 2.", "el tuyo tiene 2"),
        (
            "which_mistakes_survive",
            "typed",
            "Called with the tables B, C, D, E, F, G, H, I, which_mistakes_survive still returned A",
            "Con las tablas B, C, D, E, F, G, H, I",
        ),
        (
            "which_mistakes_survive",
            "names of its own",
            "which_mistakes_survive(…) got the tables A, B, C",
            "recibió las tablas A, B, C",
        ),
        ("shift", "turned the other way", "which matrix do you need there", "¿qué matriz hace falta ahí?"),
        ("proof", "nothing returned", "yours is None (is there a return?).", "None (¿falta un return?)."),
        ("offset_only", "the_largest", "can show that a table is spoiled", "Puede mostrar que una tabla está dañada"),
        ("draw_heatmap", "the_map_of_bare_matplotlib", "viridis, isn't diverging", "viridis, no es divergente"),
        ("frequencies", "each_twice", "How many pairs do d columns make?", "¿Cuántos pares"),
        (
            "frequencies",
            "one_per_column_2j",
            "returned 32 numbers, one per column",
            "devolvió 32 números, uno por columna",
        ),
        ("frequencies", "one_per_column_j", "16 pairs need 16 numbers", "16 pares necesitan 16 números"),
    ],
)
def test_the_part_that_differs_is_named(exercise, style, english, spanish):
    assert english in of_sample(exercise, style)
    assert spanish in of_sample(exercise, style, "es")
    assert "twice as fast" not in of_sample(exercise, style)


@pytest.mark.parametrize(("language", "words"), [("en", "asks for float64"), ("es", "pide float64")])
def test_right_entries_in_float32_are_not_blamed_on_the_angles(language, words):
    message = of_sample("shift_matrix", "right entries stored in float32", language)
    assert words in message and "0e+00" not in message


def test_a_shift_by_the_matrix_runs_out_of_memory_in_grading_alone():
    matrix = SAMPLES["shift", "the_matrix_all_the_same"]
    assert not said("shift", matrix)
    (findings,) = graded("shift", matrix)
    assert "if it builds the matrix" in say_all("shift", findings)


def drawing(exercise, *args, **labels):
    """A drawing as the grader receives it, with these labels and one line of 137 points at height 137."""

    def answer(*args):
        ax = args[-1]
        ax.plot(np.arange(137), np.full(137, 137.0), label=labels.pop("label"))
        ax.set(**labels)
        ax.legend()

    sent = read_reply(reply(call_answer({exercise: answer}, exercise, "figure", args)))
    return received(COURSE.exercises[exercise], Probe(args), sent)


@pytest.mark.parametrize(
    ("exercise", "args", "actual", "expected"),
    [
        ("sweep", ((10, 500), 60, 24), np.full((2, 3), 137.0), np.zeros((2, 3))),
        ("landmarks", (58,), (137, 137), (3, 20)),
        ("float32_error", (Positions((5, 7)), 4), np.full(137, 1.0), (np.zeros(2), np.ones(2))),
        ("float32_error", (Positions((5,) * 138), 4), np.eye(138)[137], (np.zeros(138), np.zeros(138))),
        ("which_mistakes_survive", ({"A": np.ones((3, 4))},), {"137"}, [1]),
        ("which_mistakes_survive", ({"A": np.ones((3, 4))},), np.ones(137), [1]),
    ],
)
def test_numbers_of_a_hidden_call_stay_out_of_a_labs_own_findings(exercise, args, actual, expected):
    """Otherwise an answer could leak its hidden arguments by returning numbers that depend on them."""
    load(COURSE)
    for public in (True, False):
        found = judge(Observation(COURSE.exercises[exercise], args, actual, expected, public=public))
        for language in ("en", "es"):
            assert ("137" in say_all(exercise, [found], language)) == public


@pytest.mark.parametrize(
    ("exercise", "rule", "args", "expected", "labels"),
    [
        ("draw_columns", curves.shows_the_columns, (np.ones((138, 4)), (2,)), None, {"label": "2"}),
        ("draw_columns", curves.shows_the_columns, (np.ones((138, 4)), (1, 2)), None, {"label": "2"}),
        ("draw_sweep", judge_curves, ((137,), 8), np.ones((3, 2)), {"label": "base 137"}),
        ("draw_sweep", judge_curves, ((137, 9), 8), np.ones((3, 3)), {"label": "base 9"}),
    ],
)
def test_numbers_of_a_hidden_figure_stay_out_of_a_labs_own_rules(exercise, rule, args, expected, labels):
    load(COURSE)
    drawn = drawing(exercise, *args, **labels)
    for language in ("en", "es"):
        shown = [
            say_all(
                exercise,
                [rule(Observation(COURSE.exercises[exercise], args, drawn, expected, public=public))],
                language,
            )
            for public in (True, False)
        ]
        always = {"0", "10", "500", "000"}  # numbers that are part of the sentences
        assert set(re.findall(r"\d+", shown[0])) - always and set(re.findall(r"\d+", shown[1])) <= always, shown


def test_wrong_numbers_are_asked_for_radians_in_any_form():
    for wrong in ([0.5] * 4, [np.array(0.5)] * 4, np.full(4, 0.5)):
        assert "radians" in said("by_hand", wrong)


@pytest.mark.parametrize(
    ("style", "holds"),
    [
        ("texts", "by_hand contains '0.1411', which"),
        ("not numbers", "contains None"),
        ("a decimal comma", "contains (0, 1411)"),
    ],
)
def test_feedback_on_a_non_number_does_not_mention_radians(style, holds):
    words = of_sample("by_hand", style)
    assert holds in words and "radians" not in words
    assert "sin comillas" in of_sample("by_hand", style, "es")


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "right on the four tables shown. Grading"),
        ("es", "correcto en las cuatro tablas que se muestran. Al calificar"),
    ],
)
def test_grading_covers_more_than_the_lab_shows(language, line):
    """The lab shows four of the eight mistakes. An answer that is right for these four may fail for the others."""
    answer = name_the_mistake.zeros_in_row_0_alone
    assert line in examination_of(COURSE, "name_the_mistake", {"name_the_mistake": answer}).line(language)


def test_mistakes_once_confused_with_others_are_named_correctly():
    [*_, last] = graded("name_the_mistake", name_the_mistake.zeros_in_row_0_alone)
    assert "same-function-twice was mistaken for columns-unwritten" in say_all("name_the_mistake", last)
    assert "same-function-twice se confundió con columns-unwritten" in say_all("name_the_mistake", last, "es")
    assert "nothing else" not in say_all("name_the_mistake", last)


@pytest.mark.parametrize(
    ("language", "question"), [("en", "ends without a `return`?"), ("es", "termina sin un `return`?")]
)
def test_a_missing_return_is_not_taken_for_a_typing_error(language, question):
    assert question in said("name_the_mistake", lambda tables: dict.fromkeys(tables), language)
    assert any(
        question in say_all("name_the_mistake", each, language) for each in graded("name_the_mistake", dict.fromkeys)
    )


def test_missing_labels_are_named_in_words():
    def bare(pe, ax):
        ax.imshow(pe, cmap="RdBu_r", vmin=-1, vmax=1)

    needs = "needs a label on the x axis, a label on the y axis, a colour bar. Could"
    assert needs in said("draw_heatmap", bare)
    assert "el rótulo del eje x, el rótulo del eje y, la barra de color" in said("draw_heatmap", bare, "es")


@pytest.mark.parametrize(
    ("style", "english", "spanish"),
    [
        (
            "argmax_over_a_thousand_offsets",
            "For d = 128 your second landmark is 0:",
            "Para d = 128 tu segundo punto es 0:",
        ),
        (
            "none_where_the_search_ends",
            "For d = 512 your second landmark is None:",
            "Para d = 512 tu segundo punto es None:",
        ),
        (
            "argmax_over_the_table_that_is_drawn",
            "landmarks(32): your second landmark is 0,",
            "landmarks(32): tu segundo punto es 0,",
        ),
        ("the_first_sum_above_zero", "look for a sum of 0 or less?", "una suma de 0 o menos?"),
        (
            "one_too_far",
            "both your landmarks are off by one",
            "a tus dos puntos de referencia les sobra o les falta una posición",
        ),
        (
            "a_step_further_at_the_low_alone",
            "your first landmark is off by one",
            "a tu primer punto le sobra o le falta una posición",
        ),
        (
            "a_step_before_at_the_crossing_alone",
            "your second landmark is off by one",
            "a tu segundo punto le sobra o le falta una posición",
        ),
    ],
)
def test_feedback_distinguishes_wrong_landmarks(style, english, spanish):
    words = of_sample("landmarks", style)
    assert english in words and "Is it the sum" not in words
    assert spanish in of_sample("landmarks", style, "es")


@pytest.mark.parametrize(
    ("exercise", "style", "english", "spanish"),
    [
        (
            "shift",
            "a_view_of_a_copy_overwritten",
            "Your even columns are right.",
            "Tus columnas pares son correctas, pero",
        ),
        ("shift", "the_cosines_of_a_copy_overwritten_before_the_sines", "Your odd columns", "Tus columnas impares"),
        ("shift_matrix", "written_into_whole_numbers", "You return whole numbers", "Devuelves números enteros"),
        (
            "shift_matrix",
            "formula of sign-lost 1",
            "with offset -2 you shift forward too.",
            "offset -2 también desplazas",
        ),
        ("shift_matrix", "as_many_steps_as_the_offset", "with offset -2 nothing moves.", "offset -2 no se mueve nada"),
        ("sines_alone", "a_map_on_the_left", "does W multiply A from the right", "multiplica W a A por la derecha"),
        ("full_cycles", "formula of cycles 1", "you count 8: the pairs that", "cuentas 8: los pares"),
        (
            "full_cycles",
            "formula of exponent-k-over-d 1",
            "you count 9: your wavelengths grow too slowly",
            "un exponente k/d o",
        ),
        ("full_cycles", "formula of columns-for-pairs 1", "you count 10: both columns", "cuentas 10: las dos columnas"),
        ("full_cycles", "formula of turns-added-up 2", "you get 23: the turns of all pairs", "la suma de las vueltas"),
        (
            "full_cycles",
            "formula of beyond-the-last-pair 1",
            "more pairs than 16 columns make",
            "pares de los que forman 16",
        ),
        ("read_a_figure", "reshaped_and_mirrored", "Which operation exchanges two axes?", "intercambia dos ejes?"),
    ],
)
def test_a_message_names_the_error_in_the_code(exercise, style, english, spanish):
    assert english in of_sample(exercise, style)
    assert spanish in of_sample(exercise, style, "es")


@pytest.mark.parametrize(
    "style",
    ["formula of none-survive 2", "formula of none-survive 3", "formula of none-survive 5", "in a set of one text"],
)
def test_a_test_of_something_else_is_not_called_too_strict(style):
    assert "Where is the gap" not in of_sample("which_mistakes_survive", style)


def test_a_returned_error_is_not_reported_as_raised(monkeypatch):
    answer = SAMPLES["sinusoidal_pe", "an_error_returned"]
    assert "sinusoidal_pe(8, 7) returned a ValueError." in said("sinusoidal_pe", answer)
    assert "devolvió un valor de tipo ValueError" in said("sinusoidal_pe", answer, "es")
    monkeypatch.setattr(Handle, "findings", ())
    with pytest.raises(NotPassed, match=r"sinusoidal_pe\(…\) returned a ValueError"):
        SomeAnswers(sinusoidal_pe=answer).sinusoidal_pe(9, 5)


def positions_times_frequencies(T, d):
    return np.sin(np.arange(T) * 10000.0 ** (-2 * np.arange(d // 2) / d))


def one_number_at_a_time(T, d):
    return np.array([math.sin(np.arange(T) * 10000.0 ** (-2 * k / d)) for k in range(d // 2)])


@pytest.mark.parametrize(
    "answer, question",
    [
        (positions_times_frequencies, "(64,) (16,). NumPy combines two arrays entry by entry."),
        (one_number_at_a_time, "Which module has the same function for arrays?"),
    ],
)
def test_the_error_of_a_first_try_comes_with_a_question(answer, question):
    assert question in said("sinusoidal_pe", answer)
    assert any(question in say_all("sinusoidal_pe", findings) for findings in graded("sinusoidal_pe", answer))
