"""Disk that no file's name tells of is counted, and what a kernel leaves behind is removed, in each layer and by each user."""

import os

import overruns
import pytest

from labkit.kernel.fork_server.process import available
from labkit.sandbox.confine import available_layers

pytestmark = pytest.mark.skipif(not available(), reason="forked kernels need Linux")
USERS = (False, True) if os.geteuid() == 0 else (False,)


@pytest.mark.parametrize("user", USERS, ids=lambda user: "user" if user else "own")
@pytest.mark.parametrize("kernel", ["warm", "stock"])
@pytest.mark.parametrize("layer", available_layers())
def test_what_is_hidden_is_counted_and_nothing_is_left(layer, kernel, user):
    found, left = overruns.run(layer, kernel, user)
    assert set(found) == set(overruns.OVERRUNS) and left == []
    for attempt, (why, *folders) in found.items():
        assert why in ("filled more than 4 MiB of disk", "made a folder that cannot be looked into"), attempt
        assert folders == [], attempt
