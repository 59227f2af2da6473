"""A grader that is killed at any moment loses nothing and doubles nothing: --resume completes what was begun."""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
import pytest

from labkit import project

LAB = "01_build_the_table"
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


def test_killed_at_random_moments_and_resumed(small_class, tmp_path, labkit, temporary):
    started = time.monotonic()
    assert labkit("grade", small_class, "--out", tmp_path / "calm", "--jobs", "2").returncode == 0
    whole = time.monotonic() - started
    command = [
        Path(sys.executable).with_name("labkit"),
        "grade",
        small_class,
        "--out",
        tmp_path / "killed",
        "--jobs",
        "2",
        "--resume",
    ]
    moments = random.Random(4)
    for _ in range(KILLS):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=project.ROOT,
                                   env={**os.environ, "TMPDIR": temporary})  # fmt: skip
        time.sleep(moments.uniform(0.1, whole))
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert ended(temporary), "processes of a killed grader go on"
        assert [
            name for name in os.listdir(temporary) if not name.startswith("pymp-")
        ] == []  # multiprocessing's own, before workers run
    assert labkit("grade", small_class, "--out", tmp_path / "killed", "--jobs", "2", "--resume").returncode == 0
    for name in ("results.json", "gradebook.csv"):
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "calm" / name).read_bytes()


def ended(temporary: str) -> bool:
    """Whether within some seconds no process is left that works in this folder."""
    for _ in range(50):
        if not any(_works_in(process, temporary) for process in psutil.process_iter()):
            return True
        time.sleep(0.1)
    return False


def _works_in(process: psutil.Process, folder: str) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE and process.environ().get("TMPDIR", "").startswith(folder)
    except psutil.Error:
        return False
