"""Grading the grader: every right answer passes, and every wrong one is named as what it is."""

import numpy as np
import pytest

from autograder.samples import UNKNOWN, UNSEEN, all_samples
from encoding_labs import COURSE
from labkit.judging.diagnosis import diagnose
from labkit.judging.observation import Observation
from labkit.judging.words import say, say_all
from labkit.notebook.examine import examination_of
from labkit.notebook.expected import names_of

SAMPLES = [
    pytest.param(sample, id=f"{module}-{sample.exercise}-{sample.style}".replace(" ", "_"))
    for module, sample in all_samples()
]


def examined(sample):
    """What the check in the notebook finds in a sample."""
    return examination_of(sample.exercise, {sample.exercise: sample.answer})


@pytest.mark.filterwarnings("ignore")  # wrong answers divide by zero, and some right ones warn
@pytest.mark.parametrize("sample", SAMPLES)
def test_right_passes_and_wrong_is_named(sample):
    findings = examined(sample).findings
    named = {finding.mistake for finding in findings if finding.mistake}
    words = say_all(sample.exercise, findings)
    assert bool(findings) == bool(set(sample.mistakes) - {UNSEEN}), words
    assert named == set(sample.mistakes) - {UNKNOWN, UNSEEN}, words


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("sample", [param for param in SAMPLES if param.values[0].mistakes])
def test_feedback_in_spanish_too(sample):
    for finding in examined(sample).findings:
        english, spanish = (say(sample.exercise, finding, language) for language in ("en", "es"))
        assert english and spanish and english != spanish
        assert (
            "{" not in english + spanish and "an array of shape" not in spanish and "is there a return" not in spanish
        )


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("answer", [[2.0], [0.5], [0.0], [np.nan], [1.0, 2.0], [], [[1.0]], 3.0, 0])
def test_a_single_frequency_tells_no_law_from_another(answer):
    actual = np.array(answer) if isinstance(answer, list) else answer
    seen = Observation(COURSE.exercises["frequencies"], (2,), actual, np.array([1.0]), public=False)
    assert len(diagnose([seen])) == 1


@pytest.mark.parametrize("name", COURSE.names)
def test_every_mistake_of_the_catalogue_has_a_sample(name):
    asked = {exercise.name: exercise for exercise in COURSE.labs[name].exercises}
    known = {mistake for exercise in asked.values() for mistake in names_of(exercise)}
    samples = (param.values[0] for param in SAMPLES)
    made = {id for sample in samples if sample.exercise in asked for id in sample.mistakes} - {UNKNOWN, UNSEEN}
    assert known == made
