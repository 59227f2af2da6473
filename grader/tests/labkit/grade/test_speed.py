"""Grading starts fast, because it imports little, and leaves nothing running, because workers end with their grader."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from longer import every
from needs import needs
from processes import PATIENCE, gone, started, until

LABKIT = Path(sys.executable).with_name("labkit")


def test_the_grader_imports_nothing_that_is_slow_and_unused(run_command):
    session = "from labkit.grade.judge.judge import judge_each; judge_each(project.current(), [], print)"
    source = f"import sys; from labkit.student.model import project; {session}; print(*sys.modules)"
    done = run_command(sys.executable, "-c", source)
    assert "_pytest.fixtures" in done.stdout
    assert not {
        "rfc3987_syntax",
        "rfc3986_validator",
        "isoduration",
        "jupyterlab",
        "sympy",
        "matplotlib.pyplot",
        "IPython",
        "nbval._cover5",
        "jsonschema",
    } & set(done.stdout.split())


def test_the_graders_own_process_starts_without_what_only_its_workers_need(run_command):
    done = run_command(
        sys.executable,
        "-c",
        "import sys, labkit.cli, labkit.grade.batch.grade, labkit.grade.intake.discover; print(*sys.modules)",
    )
    assert "labkit.grade.batch.worker" in done.stdout
    assert not {"numpy", "zmq", "jupyter_client", "pytest", "nbformat"} & set(done.stdout.split())


def test_a_class_is_found_before_anything_slow_is_imported(tmp_path, run_command):
    """So the process that imports the lab's packages starts early, and a wrong path is refused at once."""
    source = """
import sys
from labkit.__main__ import main
try:
    main()
except SystemExit as end:
    print(end.code, *sys.modules)"""
    done = run_command(sys.executable, "-c", source, "grade", tmp_path / "absent", "--out", tmp_path / "out")
    assert done.stdout.startswith("2 ") and "labkit.grade.intake.discover" in done.stdout
    assert not {"numpy", "jinja2", "pytest", "rich"} & set(done.stdout.split())


@needs("isolation")
@needs("Linux")  # only there kernels are forked
def test_a_new_class_starts_its_fork_server_first_and_a_known_one_starts_none(handout, tmp_path, run_command):
    for student in ("ada", "bob"):
        handout("01_spread").insert(f"# {student}").save(tmp_path / "class" / student / "01_spread.ipynb")
    source = """
import sys
from labkit.__main__ import main
from labkit.grade.batch import local_executor, store
def tell(module, name):
    given = getattr(module, name)
    setattr(module, name, lambda *of, **more: print(name, more.get("clients", ""), file=sys.stderr) or given(*of, **more))
tell(local_executor, "start_server")
tell(store, "lab_digest")
main()"""
    command = ["grade", tmp_path / "class", "--out", tmp_path / "out", "--jobs", "9"]
    new, known = (run_command(sys.executable, "-c", source, *command).stderr.split("\n") for _ in range(2))
    assert (
        new[:2] == ["start_server 4", "lab_digest "] and new.count(new[0]) == 1
    )  # two submissions, and two labs at most
    assert known[0] == "lab_digest " and not any(each.startswith("start_server") for each in known)


def test_a_process_that_starts_kernels_imports_no_pytest(run_command):
    done = run_command(sys.executable, "-c", "import sys, labkit.grade.kernel.forked; print(*sys.modules)")
    assert "nbval.kernel" in done.stdout and not {"pytest", "nbval.plugin", "nbformat"} & set(done.stdout.split())


@needs("Linux")
def test_ctrl_c_while_workers_get_ready_is_one_line(handout, tmp_path):
    copy = handout("01_spread").insert("import time; time.sleep(60)")  # so that it is still running
    copy.save(tmp_path / "class" / "ada" / "01_spread.ipynb")
    command = [LABKIT, "grade", tmp_path / "class", "--out", tmp_path / "out"]
    # Coverage saves its data when a process ends, and an interrupt at that moment would print a traceback.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    with started(*command, stderr=subprocess.PIPE, text=True, env=environment) as grader:
        assert until(lambda: commands_below(grader.pid))
        time.sleep(0.1)  # interrupt it while it imports
        os.killpg(grader.pid, signal.SIGINT)
        said = grader.communicate(timeout=PATIENCE)[1]
    assert grader.returncode == 130 and len(said.split("\n")) <= 3 and "--resume" in said, said


@needs("isolation")
@needs("Linux")  # only there workers are forks
def test_ctrl_c_while_a_worker_is_being_started_is_one_line(handout, tmp_path, run_command):
    """The interrupt comes when the worker's process exists but has no instructions yet."""
    handout("01_spread").save(tmp_path / "class" / "ada" / "01_spread.ipynb")
    half_begun = """
import os, signal, sys
from labkit.__main__ import main
fork = os.fork
def fork_and_be_interrupted():
    child = fork()
    if child:
        os.kill(os.getpid(), signal.SIGINT)
    return child
os.fork = fork_and_be_interrupted
main()"""
    done = run_command(sys.executable, "-c", half_begun, "grade", tmp_path / "class", "--out", tmp_path / "out")
    assert done.returncode == 130 and done.stderr.strip().startswith("labkit: interrupted"), done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr


def commands_below(process: int) -> list[str]:
    try:
        return [" ".join(child.cmdline()) for child in psutil.Process(process).children()]
    except psutil.Error:  # one has just ended
        return []


@needs("isolation")
@needs("Linux")  # only there workers are forks
def test_workers_share_no_socket(handout, tmp_path):
    """Otherwise the fork server would not notice that a worker has died, and its kernels would go on."""
    for student in ("ada", "bob"):
        copy = handout("01_spread").insert(f"import time; time.sleep(60)  # {student}")
        copy.save(tmp_path / "class" / student / "01_spread.ipynb")
    command = [LABKIT, "grade", tmp_path / "class", "--out", tmp_path / "out", "--jobs", "2"]
    with started(*command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as grader:
        assert until(lambda: len(found := sockets_of_forks(grader.pid)) == 2 and all(found) and not found[0] & found[1])


def sockets_of_forks(process: int) -> list[set[str]]:
    """The sockets of each child that runs the same command."""
    found = []
    with contextlib.suppress(psutil.Error, OSError):  # one has just ended
        for child in (own := psutil.Process(process)).children():
            if child.cmdline() == own.cmdline():
                links = {os.readlink(each) for each in Path(f"/proc/{child.pid}/fd").iterdir()}
                found.append({each for each in links if each.startswith("socket:")})
    return found


@needs("isolation")
# looks for processes in /proc
@pytest.mark.parametrize("killed", every(2, [True, False], why="the same for a grader that ends by itself"))
def test_no_process_outlives_the_grader(handout, tmp_path, temporary, killed):
    for student in ("ada", "bob"):
        copy = handout("01_spread", solved=True).insert("import time; time.sleep(2)", after="setup")
        copy.save(tmp_path / "class" / student / "01_spread.ipynb")
    command = [LABKIT, "grade", tmp_path / "class", "--out", tmp_path / "out", "--jobs", "2"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with started(*command, env={**os.environ, "TMPDIR": str(temporary)}, **quiet) as grader:
        assert until(lambda: [*temporary.glob("labkit-*/workdir-*")])  # a kernel runs
        if killed:
            grader.kill()
        assert grader.wait(PATIENCE) == (-9 if killed else 0)
        assert gone(temporary) and not list(temporary.iterdir())
