"""References are called once per case, and cases are never confused."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from labkit.grade.judge import expect
from labkit.grade.judge.expect import reference_value
from labkit.student.model.course import Probe


def counted(gives):
    """A reference that records its calls."""

    def reference(*args):
        reference.asked.append(args)
        return gives(*args)

    reference.asked = []
    return reference


def test_a_case_is_computed_once():
    reference = counted(np.arange)
    first, second = reference_value(reference, Probe((4,))), reference_value(reference, Probe((4,)))
    assert first is second and reference.asked == [(4,)]


def test_cached_arrays_are_read_only():
    assert not reference_value(counted(np.arange), Probe((4,))).flags.writeable


def test_arguments_that_cannot_be_looked_up_by_are_asked_each_time():
    reference, probe = counted(np.sum), Probe((np.ones(3),))
    assert reference_value(reference, probe) == reference_value(reference, probe) == 3 and len(reference.asked) == 2


def test_large_values_are_not_kept_and_many_are_forgotten():
    large, small = counted(np.zeros), counted(abs)
    reference_value(large, Probe((2**20,))), reference_value(large, Probe((2**20,)))
    assert len(large.asked) == 2
    for number in range(2 * expect.MOST):
        reference_value(small, Probe((number,)))
    assert len(expect._kept) <= expect.MOST


@given(st.lists(st.one_of(st.integers(-3, 3), st.sampled_from([0.0, 1.0, -1.0, 2.0]), st.booleans()), max_size=30))
def test_equal_numbers_of_other_kinds_are_other_cases(values):
    for value in values:
        assert reference_value(type, Probe((value,))) is type(value)
