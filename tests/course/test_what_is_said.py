"""Findings about wrong answers have the facts that fit the answer. In each case tested here they once did not."""

import math
import re

import numpy as np
import pytest
from in_process import SomeAnswers, verdicts

from autograder.build_the_table.samples import name_the_mistake
from autograder.samples import all_samples, formulas
from encoding_labs import COURSE
from encoding_labs.base_sweep.exercises import judge_curves
from encoding_labs.heatmap import curves
from encoding_labs.precision_and_cost.arguments import Positions
from labkit.grade.judge.answers import Handle, NotPassed
from labkit.model.course import Probe
from labkit.student.calls.calling import call_answer, read_reply, received, reply
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation, judge
from labkit.student.judging.words import load, say_all
from labkit.student.notebook.examine import examination_of

SAMPLES = {(sample.exercise, sample.style): sample.answer for _, sample in all_samples()}
NO_TEXTS = {sample.style: sample.answer for sample in formulas("rotation_proof") if "none-survive" in sample.mistakes}


def found(exercise, answer):
    """What the check in the notebook finds in an answer."""
    return examination_of(COURSE, exercise, {exercise: answer}).findings


def said(exercise, answer, language="en"):
    """The message that the check in the notebook prints for an answer."""
    return say_all(exercise, found(exercise, answer), language)


def graded(exercise, answer):
    """The findings from each graded test that an answer fails."""
    return [each.findings for each in verdicts(exercise, answer) if not each.passed]


FORM = "wrong-container"
FLOAT32 = {"wanted": "float32"}
ALL = [*"ABCDEFGHIJ"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "exercise, style, id, facts",
    [
        ("sinusoidal_pe", "in_float64", FORM, {"differs": Finding("another-dtype", {"dtype": "float64", **FLOAT32})}),
        (
            "sinusoidal_pe",
            "complex_dtype",
            FORM,
            {"differs": Finding("another-dtype", {"dtype": "complex128", **FLOAT32})},
        ),
        ("sinusoidal_pe", "columns_as_rows", FORM, {"differs": Finding("axes-exchanged")}),
        ("sinusoidal_pe", "with_a_batch_axis", FORM, {"differs": Finding("another-count-of-axes", {"axes": 3})}),
        ("sinusoidal_pe", "flattened", FORM, {"differs": Finding("another-count-of-axes", {"axes": 1})}),
        ("sinusoidal_pe", "a_list_of_lists", FORM, {"differs": Finding("another-container")}),
        ("frequencies", "a_list", FORM, {"differs": Finding("another-container")}),
        ("frequencies", "a_column", FORM, {"differs": Finding("another-count-of-axes", {"axes": 2})}),
        ("frequencies", "each_twice", FORM, {"differs": Finding("another-size")}),
        ("which_mistakes_survive", "typed", "typed-letters", {"seen": ["A"], "tables": ALL[1:-1]}),
        ("which_mistakes_survive", "names of its own", "other-letters", {"tables": ALL}),
        ("proof", "nothing returned", "no-list", {"seen": Finding("nothing")}),
        ("draw_heatmap", "the_map_of_bare_matplotlib", "sequential-colormap/known", {"name": "viridis"}),
        ("landmarks", "argmax_over_a_thousand_offsets", "nothing-found", {"d": 128, "seen": "0"}),
        ("landmarks", "none_where_the_search_ends", "nothing-found", {"d": 512, "seen": "None"}),
        ("landmarks", "argmax_over_the_table_that_is_drawn", "crossing_at_0", {"call": "landmarks(32)", "seen": 0}),
        ("landmarks", "the_first_sum_above_zero", "crossing_at_0", {}),
        ("landmarks", "one_too_far", "index-for-offset", {}),
        ("landmarks", "a_step_further_at_the_low_alone", "index-for-offset/minimum", {}),
        ("landmarks", "a_step_before_at_the_crossing_alone", "index-for-offset/crossing", {}),
        ("shift", "a_view_of_a_copy_overwritten", "half-overwritten/even", {}),
        ("shift", "the_cosines_of_a_copy_overwritten_before_the_sines", "half-overwritten/odd", {}),
        ("shift_matrix", "as_many_steps_as_the_offset", "sign-lost/unmoved", {"offset": -2}),
        ("float32_error", "not_a_number", "finite", {"seen": "nan", "where": Finding("at-index", {"index": 0})}),
        ("float32_error", "exponent_k_over_d_in_both", "other-frequencies/both", {}),
        ("first_bad_position", "printed", "one_position", {"seen": Finding("nothing")}),
        ("first_bad_position", "the_start_of_the_block", "row_0", {"seen": 0}),
        ("first_bad_position", "by_theory", "row_0", {"call": "first_bad_position(2, 1e-09)", "seen": 0}),
        ("first_bad_position", "close_to_numpy", "far_out", {"seen": 2**24 + 1}),
        ("first_bad_position", "powers_of_two_from_two", "late", {"seen": 262_144}),
        ("score_parts", "entries_multiplied", "wrong-product/elementwise", {}),
        ("score_parts", "the_second_part_twice", "mixed-part-twice", {"other": Finding("content-position")}),
        ("sweep", "the_base_as_a_first_column", "shape", {"seen": "(5, 4)", "wanted": "(5, 3)"}),
        ("draw_sweep", "both axes logarithmic", "below_0", {"scale": "log"}),
        ("draw_sweep", "points_and_no_lines", "no-lines", {}),
        ("draw_sweep", "always 32 dimensions", "height", {"base": 20}),
        ("draw_sweep", "bases in scientific form", "unlabelled_lines", {"bases": [10, 100]}),
        ("shift_matrix", "right entries stored in float32", "low-precision/entries", {}),
    ],
)
def test_the_part_that_differs_is_named(exercise, style, id, facts):
    finding, *_ = found(exercise, SAMPLES[exercise, style])
    assert finding.id == id and facts.items() <= finding.facts.items()


def test_a_wrong_shape_at_a_fixed_size_is_shown_with_the_call_but_without_the_returned_shape():
    made_once = SAMPLES["sinusoidal_pe", "five_thousand_rows_made_once"]
    ((finding,),) = graded("sinusoidal_pe", made_once)
    assert finding.id == "fixed-shape" and finding.facts == {"call": "sinusoidal_pe(12000, 2)", "wanted": "(12000, 2)"}


def test_a_shift_by_the_matrix_runs_out_of_memory_in_grading_alone():
    matrix = SAMPLES["shift", "the_matrix_all_the_same"]
    assert not found("shift", matrix)
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


@pytest.mark.parametrize("wrong", [[0.5] * 4, [np.array(0.5)] * 4, np.full(4, 0.5)], ids=["floats", "arrays", "array"])
def test_wrong_numbers_are_asked_for_radians_in_any_form(wrong):
    assert "radians" in said("by_hand", wrong)


@pytest.mark.parametrize(
    "style, seen", [("texts", "'0.1411'"), ("not numbers", "None"), ("a decimal comma", "(0, 1411)")]
)
def test_a_non_number_is_shown_instead_of_a_count(style, seen):
    (finding,) = found("by_hand", SAMPLES["by_hand", style])
    assert (finding.id, finding.facts["seen"]) == ("no-number", seen)


def test_grading_covers_more_than_the_lab_shows():
    """The lab shows four of the eight mistakes. An answer that is right for these four may fail for the others."""
    answer = name_the_mistake.zeros_in_row_0_alone
    assert "right on the four" in examination_of(COURSE, "name_the_mistake", {"name_the_mistake": answer}).line()
    [*_, (last,)] = graded("name_the_mistake", answer)
    taken = Finding("taken", {"mistake": "same-function-twice", "given": "columns-unwritten"})
    assert taken in last.facts["taken"]


def test_a_missing_return_is_not_taken_for_a_typing_error():
    (finding,) = found("name_the_mistake", lambda tables: dict.fromkeys(tables))
    assert finding.id == "no-name"
    assert "no-name" in {each.id for findings in graded("name_the_mistake", dict.fromkeys) for each in findings}


def test_missing_labels_are_all_named():
    *_, finding = found("draw_heatmap", lambda pe, ax: ax.imshow(pe, cmap="RdBu_r", vmin=-1, vmax=1))
    assert [each.id for each in finding.facts["missing"]] == ["part-xlabel", "part-ylabel", "part-colorbar"]


@pytest.mark.parametrize("answer", [*NO_TEXTS.values(), SAMPLES["which_mistakes_survive", "in a set of one text"]])
def test_a_test_of_something_else_is_not_called_too_strict(answer):
    strict = "Where is the gap" in said("which_mistakes_survive", answer)
    assert not strict


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


def test_frequencies_that_vanish_but_for_the_first_get_only_a_name_that_fits_their_numbers():
    def powers_of(exponent):
        return lambda d: exponent(2 * np.arange(d // 2), d)

    no_log = powers_of(lambda columns, d: np.exp(-columns / d * 10000))
    times_d = powers_of(lambda columns, d: 10000.0 ** (-columns * d))
    assert [finding.mistake for finding in found("frequencies", no_log)] == ["lost-log"]
    assert [finding.mistake for finding in found("frequencies", times_d)] == [None]
