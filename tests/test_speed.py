"""What keeps grading fast, and leaves nothing running: lean imports, and workers that end with their grader."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
import pytest
from processes import gone

LABKIT = Path(sys.executable).with_name("labkit")


def test_the_grader_imports_nothing_that_is_slow_and_unused(run_command):
    done = run_command(sys.executable, "-c", "import sys, labkit.grading.judge; print(*sys.modules)")
    assert not {"rfc3987_syntax", "isoduration", "jupyterlab", "sympy", "matplotlib.pyplot"} & set(done.stdout.split())


def test_the_graders_own_process_starts_without_what_only_its_workers_need(run_command):
    done = run_command(
        sys.executable,
        "-c",
        "import sys, labkit.cli, labkit.grading.grade, labkit.grading.discover; print(*sys.modules)",
    )
    assert "labkit.grading.worker" in done.stdout
    assert not {"numpy", "zmq", "jupyter_client", "pytest", "nbformat"} & set(done.stdout.split())


@pytest.fixture
def temporary():
    """A temporary folder with a short name: pytest's own are too long for sockets."""
    with tempfile.TemporaryDirectory(prefix="t-", dir="/tmp") as folder:
        yield Path(folder)


@pytest.mark.skipif(sys.platform != "linux", reason="only there workers are forks of a process that is started early")
def test_ctrl_c_while_workers_get_ready_is_one_line(handout, tmp_path):
    handout("01_build_the_table").save(tmp_path / "class" / "ada" / "01_build_the_table.ipynb")
    command = [LABKIT, "grade", tmp_path / "class", "--out", tmp_path / "out"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as grader:
        while not any(
            "forkserver" in word for each in psutil.Process(grader.pid).children() for word in each.cmdline()
        ):
            time.sleep(0.01)
        time.sleep(0.1)  # it imports
        os.killpg(grader.pid, signal.SIGINT)
        said = grader.stderr.read()
    assert grader.returncode == 130 and len(said.split("\n")) <= 3 and "--resume" in said, said


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
@pytest.mark.parametrize("killed", [True, False])
def test_no_process_outlives_the_grader(handout, tmp_path, temporary, killed):
    for student in ("ada", "bob"):
        copy = handout("01_build_the_table", solved=True).insert("import time; time.sleep(2)", after="setup")
        copy.save(tmp_path / "class" / student / "01_build_the_table.ipynb")
    command = [LABKIT, "grade", tmp_path / "class", "--out", tmp_path / "out", "--jobs", "2"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    grader = subprocess.Popen(command, env={**os.environ, "TMPDIR": str(temporary)}, **quiet)
    until = time.monotonic() + 30
    while not list(temporary.rglob("home-*")) and time.monotonic() < until:  # a kernel runs
        time.sleep(0.05)
    if killed:
        grader.kill()
    assert grader.wait(60) == (-9 if killed else 0)
    assert gone(temporary)
    assert killed or not list(temporary.iterdir())


def test_a_long_name_of_the_temporary_folder_is_no_obstacle(handout, tmp_path, run_command):
    long = tmp_path / ("x" * 90)
    long.mkdir()
    path = handout("01_build_the_table", solved=True).save(tmp_path / "ada" / "01_build_the_table.ipynb")
    for kernel in ([], ["--stock-kernel", "--no-cache"]):
        done = run_command(
            LABKIT, "grade", path, "--out", tmp_path / "out", *kernel, env={**os.environ, "TMPDIR": str(long)}
        )
        assert done.returncode == 0 and "10/10" in done.stdout, done.stderr
