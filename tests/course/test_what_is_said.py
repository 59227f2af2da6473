"""What a student reads about a wrong answer: words that fit what was seen, where they once did not."""

import numpy as np
import pytest
from in_process import verdicts
from mistaken import all_samples
from table_samples import omega_of

from labkit.judging.words import say_all
from labkit.notebook.examine import examination_of

SAMPLES = {(sample.exercise, sample.style): sample.answer for _, sample in all_samples()}


def said(exercise, answer, language="en"):
    """What the check in the notebook says of an answer."""
    return say_all(exercise, examination_of(exercise, {exercise: answer}).findings, language)


def of_sample(exercise, style, language="en"):
    return said(exercise, SAMPLES[exercise, style], language)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("exercise", "style", "english", "spanish"),
    [
        ("sinusoidal_pe", "in_float64", "asked for is float32; yours is float64", "float32 y el tuyo es float64"),
        ("sinusoidal_pe", "complex_dtype", "yours is complex128", "el tuyo es complex128"),
        ("sinusoidal_pe", "columns_as_rows", "two axes have changed places", "están intercambiados"),
        ("sinusoidal_pe", "with_a_batch_axis", "yours has 3", "la tuya tiene 3"),
        ("sinusoidal_pe", "flattened", "yours has 1", "la tuya tiene 1"),
        ("sinusoidal_pe", "a_list_of_lists", "A NumPy array is asked for.", "Se pide un array de NumPy."),
        ("frequencies", "a list", "A NumPy array is asked for.", "Se pide un array de NumPy."),
        ("frequencies", "a column", "An array with one axis is asked for; yours has 2.", "el tuyo tiene 2"),
        ("frequencies", "each twice", "How many pairs do d columns make?", "¿Cuántos pares"),
        ("frequencies", "one per column, 2j", "gave 32 numbers, one for each column", "dio 32 números, uno por columna"),
        ("frequencies", "one per column, j", "16 pairs need 16 numbers", "16 pares necesitan 16 números"),
    ],
)
def test_the_part_that_differs_is_named(exercise, style, english, spanish):
    assert english in of_sample(exercise, style)
    assert spanish in of_sample(exercise, style, "es")
    assert "twice as fast" not in of_sample(exercise, style)
