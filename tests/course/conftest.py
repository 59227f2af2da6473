"""Fixtures for tests of the course."""

import pytest

from encoding_labs import COURSE


@pytest.fixture(scope="session", params=COURSE.names)
def name(request) -> str:
    """Each lab's name. Tests run lab by lab, also across files, so that a lab's kernels are forks of one warm process."""
    return request.param
