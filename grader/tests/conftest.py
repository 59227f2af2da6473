"""Fixtures shared by the tests of the course and of the grader."""

from fixtures import *  # noqa: F403
