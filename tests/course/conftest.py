"""Fixtures for the tests of the course."""

import pytest

from encoding_labs import COURSE


@pytest.fixture(scope="session", params=COURSE.names)
def name(request) -> str:
    """Each lab's name. Tests are grouped by lab, even across files, so that all kernels of a lab are forks of one process."""
    return request.param
