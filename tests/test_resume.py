"""A grader that is killed at any moment loses nothing and doubles nothing: --resume completes what was begun."""

import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from processes import PATIENCE, gone, started

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


@pytest.mark.timeout(240 + 60 * KILLS)
def test_killed_at_random_moments_and_resumed(small_class, tmp_path, labkit, temporary):
    began = time.monotonic()
    assert labkit("grade", small_class, "--out", tmp_path / "calm", "--jobs", "2").returncode == 0
    whole = time.monotonic() - began
    command = [
        Path(sys.executable).with_name("labkit"),
        "grade",
        small_class,
        "--out",
        tmp_path / "killed",
        "--jobs",
        "2",
    ]
    moments = random.Random(4)
    for _ in range(KILLS):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        environment = {**os.environ, "TMPDIR": temporary}
        with started(*command, "--resume", cwd=project.ROOT, env=environment, **quiet) as process:
            time.sleep(moments.uniform(0.1, whole))
            process.kill()
            process.wait(PATIENCE)
            assert gone(Path(temporary)), "processes of a killed grader go on"
            left = os.listdir(temporary)
            assert [
                name for name in left if not name.startswith("pymp-")
            ] == []  # multiprocessing's own, before workers run
    assert labkit("grade", small_class, "--out", tmp_path / "killed", "--jobs", "2", "--resume").returncode == 0
    for name in ("results.json", "gradebook.csv"):
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "calm" / name).read_bytes()
