"""What an autograder's tests import: `expect`, `expect_at` and others. The definitions are in the houses."""

from labkit.grade.judge.expect import Expectation, expect, expect_at, reference_value
from labkit.student.judging.finding import said

__all__ = ["Expectation", "expect", "expect_at", "reference_value", "said"]
