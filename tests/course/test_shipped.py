"""Mistakes from public programs: the data, the page made from them, and the sentence below a mistake that shipped.

The names that they get are tested with the other samples, in test_grader_graded.py.
"""

import re

from autograder.samples import all_samples
from autograder.shipped import SHIPPED
from encoding_labs import COURSE


def test_each_mistake_has_a_thread_an_exercise_and_words_in_both_languages():
    assert len({each.where for each in SHIPPED}) == len(SHIPPED) >= 20
    for each in SHIPPED:
        assert {each.exercise, each.teaches} <= {*COURSE.exercises}, each.where
        assert each.threads and all(re.fullmatch(r"[\w.-]+/[\w.-]+#\d+", one) for one in (*each.threads, *each.cited))
        assert {*each.es} in ({"did"}, {"did", "where"}) and each.es["did"] != each.did, each.where


def test_each_mistake_is_a_sample_with_its_names():
    samples = {sample.style: sample for _, sample in all_samples()}
    for each in SHIPPED:
        sample = samples[f"shipped in {each.where}"]
        assert (sample.exercise, sample.mistakes) == (each.exercise, each.mistakes)
