"""A grader that is killed at any moment loses nothing and doubles nothing: --resume completes what was begun."""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from processes import PATIENCE, gone, started, until

from labkit import project
from labkit.kernel.fork_server.process import available

LABKIT = Path(sys.executable).with_name("labkit")
LAB, NEXT = "01_spread", "02_levels"
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
KILLS = int(os.environ.get("LABKIT_KILLS", "3"))  # LABKIT_KILLS=50 for a long run; the seed stays


@pytest.fixture
def small_class(tmp_path, handout):
    folder = tmp_path / "class"
    for number in range(4):
        copy = handout(LAB, solved=number % 2 == 0)
        copy.insert(f"mine = {number}", after="setup").save(folder / f"student-{number}" / f"{LAB}.ipynb")
    handout(LAB).write("by_hand", "import os; os._exit(1)").save(folder / "student-7" / f"{LAB}.ipynb")
    (folder / "student-8").mkdir()
    (folder / "student-8" / f"{LAB}.ipynb").write_text("not a notebook")
    return folder


@pytest.fixture
def temporary():
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="lk-") as folder:
        os.chmod(folder, 0o711)
        yield folder


@pytest.mark.timeout(240 + 60 * KILLS)
def test_killed_at_random_moments_and_resumed(small_class, tmp_path, labkit, temporary):
    began = time.monotonic()
    assert labkit("grade", small_class, "--out", tmp_path / "calm", "--jobs", "2").returncode == 0
    whole = time.monotonic() - began
    command = [LABKIT, "grade", small_class, "--out", tmp_path / "killed", "--jobs", "2", "--resume"]
    moments = random.Random(4)
    for _ in range(KILLS):
        environment = {**os.environ, "TMPDIR": temporary}
        with started(*command, cwd=project.current().root, env=environment, **QUIET) as process:
            time.sleep(moments.uniform(0.1, whole))
            process.kill()
            process.wait(PATIENCE)
            assert gone(Path(temporary)), "processes of a killed grader go on"
            # Multiprocessing's own is there before workers run, who remove it.
            assert [name for name in os.listdir(temporary) if not name.startswith("pymp-")] == []
    assert labkit("grade", small_class, "--out", tmp_path / "killed", "--jobs", "2", "--resume").returncode == 0
    for name in ("results.json", "gradebook.csv", "standings.json"):
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "calm" / name).read_bytes()


WRITING = (
    "number = 0\nwhile True:\n    number += 1\n    with open(f'file-{number % 1000}', 'w') as file: file.write('x')"
)


@pytest.mark.skipif(not available(), reason="a worker's own server needs Linux")
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_what_a_kernel_writes_to_the_last_goes_with_its_grader(end, handout, tmp_path, temporary):
    """Its server is the worker's own: the grader starts one for the first lab only."""
    handout(LAB).save(tmp_path / "class" / "ada" / f"{LAB}.ipynb")
    handout(NEXT).insert(WRITING, after="setup").save(tmp_path / "class" / "ada" / f"{NEXT}.ipynb")
    command = [LABKIT, "grade", tmp_path / "class", "--out", tmp_path / "out", "--jobs", "1", "--cell-seconds", "60"]
    with started(*command, env={**os.environ, "TMPDIR": temporary}, **QUIET) as grader:
        assert until(lambda: list(Path(temporary).glob("lk-*/labkit-*/workdir-*/file-9")))
        grader.send_signal(end)
        grader.wait(PATIENCE)
        assert gone(Path(temporary)) and os.listdir(temporary) == []
