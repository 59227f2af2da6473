"""Grading the grader: every right answer passes, and every wrong one is named as what it is."""

import pytest
from mistaken import all_samples

from labkit.judging.diagnosis import catalogue
from labkit.notebook.examine import examination_of

UNKNOWN = "unknown"  # marks a wrong answer that the catalogue has no name for

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
    assert bool(findings) == bool(sample.mistakes), [finding.text for finding in findings]
    assert named == set(sample.mistakes) - {UNKNOWN}, [finding.text for finding in findings]
    assert all(finding.text for finding in findings)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("sample", [param for param in SAMPLES if param.values[0].mistakes])
def test_feedback_in_spanish_too(sample):
    from labkit.judging.diagnosis import diagnose

    examination = examined(sample)
    english, spanish = (diagnose(examination.observations, language) for language in ("en", "es"))
    assert [finding.mistake for finding in english] == [finding.mistake for finding in spanish]
    assert all(one.text != other.text for one, other in zip(english, spanish))


def test_every_mistake_of_the_catalogue_has_a_sample():
    known = {entry.id for found in catalogue().values() for entry in found}
    made = {id for param in SAMPLES for id in param.values[0].mistakes} - {UNKNOWN}
    assert known == made
