"""The grader is graded: every right answer gets full points, every mistake of the catalogue loses some and is named."""

import pytest
from in_process import verdicts

from autograder.samples import UNKNOWN, UNSEEN, all_samples

SAMPLES = [
    pytest.param(sample, id=f"{module}-{sample.exercise}-{sample.style}".replace(" ", "_"))
    for module, sample in all_samples()
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("sample", SAMPLES)
def test_points_and_names(sample):
    judged = list(verdicts(sample.exercise, sample.answer))
    if not sample.mistakes:
        assert all(each.passed and each.points == each.most for each in judged)
        return
    assert not all(each.passed for each in judged)
    named = {mistake for each in judged for mistake in each.mistakes}
    assert named == set(sample.mistakes) - {UNKNOWN, UNSEEN}


def test_there_are_enough_right_styles():
    right = [param.values[0] for param in SAMPLES if not param.values[0].mistakes]
    assert len(right) >= 60 and sum(sample.exercise in ("frequencies", "sinusoidal_pe") for sample in right) >= 60
