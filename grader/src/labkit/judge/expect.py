"""What an autograder's tests import: `expect` and `expect_at`. The definitions are in `labkit.grade.judge.expect`."""

from labkit.grade.judge.expect import Expectation, expect, expect_at

__all__ = ["Expectation", "expect", "expect_at"]
