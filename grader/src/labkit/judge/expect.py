"""What an autograder's test writes: `expect(answer, argument).equals(value)`. Defined in `labkit.grade.judge.expect`."""

from labkit.grade.judge.expect import Expectation, expect, expect_at

__all__ = ["Expectation", "expect", "expect_at"]
