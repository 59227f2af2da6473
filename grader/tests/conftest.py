"""Fixtures that tests of the course and of the grader share."""

from fixtures import *  # noqa: F403
