"""A killed test run leaves no temporary files."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import own_folder
import pytest
from processes import PATIENCE, first_line, started, until

SOURCE = """
import os, tempfile, time
from own_folder import use_own_folder
use_own_folder()
use_own_folder()
tempfile.mkdtemp(prefix='dask-'), tempfile.mkstemp('.json')
print(os.environ['TMPDIR'], flush=True)
time.sleep(60)
"""


def test_this_run_has_its_own_folder():
    assert (
        Path(os.environ["TMPDIR"]).name.startswith("lk-tests-") and os.environ["TMPDIR"] == os.environ[own_folder.NAME]
    )


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_the_folder_is_removed_after_a_killed_run(end, tmp_path):
    usual = {name: value for name, value in os.environ.items() if name != own_folder.NAME}
    own = {"TMPDIR": str(tmp_path), "PYTHONPATH": str(Path(own_folder.__file__).parent)}
    with started(sys.executable, "-c", SOURCE, env={**usual, **own}, stdout=subprocess.PIPE, text=True) as run:
        folder = Path(first_line(run))
        assert folder.parent == tmp_path and len(os.listdir(folder)) == 2
        run.send_signal(end)
        run.wait(PATIENCE)
        assert until(lambda: os.listdir(tmp_path) == [])
