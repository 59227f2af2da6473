"""What several tests of the course need."""

import pytest

from encoding_labs import COURSE


@pytest.fixture(scope="session", params=COURSE.names)
def name(request) -> str:
    """Each lab. Tests run lab by lab, also across files, so that kernels of one lab are forks of one warm process."""
    return request.param
