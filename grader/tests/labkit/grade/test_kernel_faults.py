"""Machine faults are not grading results: a lack of memory, processes or disk space is reported as MachineFailed and affects no other kernel."""

import errno
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
from cgroups import cgroup
from kernel_outputs import begin, run_of, said
from longer import LONG, every
from needs import mount, needs
from processes import PATIENCE, processes_in, until

from labkit.grade.kernel import forked, servers
from labkit.grade.kernel.fork_server import Server
from labkit.grade.kernel.forked import ForkedKernel
from labkit.grade.kernel.meter import KernelDied, OverBudget
from labkit.grade.kernel.nbval_bridge import execute
from labkit.grade.kernel.servers import start_server
from labkit.grade.kernel.stock import StockKernel
from labkit.grade.sandbox import watch as watching
from labkit.grade.sandbox.faults import MachineFailed
from labkit.grade.sandbox.watch import Watch
from labkit.student.model import project
from labkit.student.model.budgets import Budgets
from labkit.student.model.course import Environment, Exercise, Probe

pytestmark = needs("Linux")
EITHER = pytest.mark.parametrize("kind", every(2, ["warm", "stock"], why="the same in a stock kernel"))
SLEEP = "import time; time.sleep(60)"
DOUBLE = Exercise("double", 1)
# The start of each program below, which runs in a process with less of something.
IMPORTS = """
import os, resource, shutil, sys, tempfile
from labkit.student.model.budgets import Budgets
from labkit.student.model import project
from labkit.student.model.course import Environment
from labkit.grade.kernel.forked import ForkedKernel
from labkit.grade.kernel.nbval_bridge import execute
from labkit.grade.kernel.forked import start_kernel
from labkit.grade.kernel.stock import StockKernel
from labkit.grade.sandbox import privileges
from labkit.grade.sandbox.faults import MachineFailed
budgets = Budgets(stock_kernel=sys.argv[1] == "stock")
"""


@pytest.mark.parametrize("error", [OSError(errno.EAGAIN, "no more processes"), MemoryError(), KeyError("x")])
def test_a_failed_request_gets_the_error_as_its_reply(error, monkeypatch):
    """Such an error used to end the server, and all other kernels with it."""
    controls = [socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET) for _ in range(2)]
    server = Server([theirs for _, theirs in controls], lambda lab: None)
    monkeypatch.setattr(os, "fork", lambda: (_ for _ in ()).throw(error))
    opened = len(os.listdir("/proc/self/fd"))
    for ours, theirs in controls:
        socket.send_fds(ours, [json.dumps({"do": "start", "lab": ""}).encode()], [0])
        server.take_from(theirs)
        assert type(error).__name__ in json.loads(ours.recv(2**16))["error"] or isinstance(error, OSError)
    assert len(server.controls) == 2 and len(os.listdir("/proc/self/fd")) == opened
    for sock in sum(controls, ()):
        sock.close()


def test_a_kernel_without_a_process_ends_no_other(start_kernel):
    first = start_kernel()
    said(first, "x = 5")
    with cgroup("pids", processes_in(first.server.folder)) as folder:
        (folder / "pids.max").write_text("1")
        with pytest.raises(MachineFailed, match="Resource temporarily unavailable"):
            start_kernel()
        assert list(first.server.folder.glob("workdir-*")) == [first.folder]
        assert said(first, "print(x)") == "5\n"
        (folder / "pids.max").write_text("max")
        assert start_kernel().server is first.server


@pytest.mark.parametrize("short_of", [{"memory_bytes": 2**20}, {"open_files": 3}])
def test_a_kernel_that_fails_before_its_first_request_is_the_machines_fault(start_kernel, short_of):
    with pytest.raises(MachineFailed, match="a kernel ended while it was starting: ..."):
        start_kernel(budgets=Budgets(**short_of))
    other = start_kernel()
    assert list(other.server.folder.glob("workdir-*")) == [other.folder]
    assert len(other.server.kernels) == 1 and said(other, "print(1)") == "1\n"


def test_a_kernel_that_ends_after_its_first_reply_is_not(start_kernel):
    with pytest.raises(KernelDied):
        execute(start_kernel(), "import os; os._exit(0)", 50.0)


def kill_all(folder) -> None:
    for process in processes_in(folder):
        with suppress(ProcessLookupError):  # it ended with the previous one
            os.kill(process, signal.SIGKILL)


def test_a_server_that_is_killed_while_a_kernel_runs_is_the_machines_fault(start_kernel):
    session = run_of(budgets=Budgets(cell_seconds=30))
    session.kernel = kernel = start_kernel()
    said(kernel, f"def double(x): open('begun', 'w').close(); {SLEEP}")
    begun, started = kernel.folder / "begun", time.monotonic()
    killer = threading.Thread(target=lambda: until(begun.exists) and kill_all(kernel.server.folder))
    killer.start()
    with pytest.raises(MachineFailed, match="server ended"):
        session.ask(DOUBLE, Probe((3,)))
    killer.join(PATIENCE)
    assert time.monotonic() - started < 25 and session.stopped == {}  # less than the cell's half minute
    session.close()
    assert not kernel.folder.exists() or not processes_in(kernel.folder)


def test_a_server_that_cannot_get_warm_says_why(monkeypatch):
    (handle,) = start_server(project.current(), "limits", Environment(warm=("there_is_no_such_module",)))
    try:
        with pytest.raises(MachineFailed, match="there_is_no_such_module"):
            handle.start_kernel(handle.next_workdir(), Budgets())
    finally:
        handle.close()


NO_MEMORY = (
    IMPORTS
    + """
kernel = start_kernel(project.current(), Environment(), budgets)
try:
    print(execute(kernel, "data = bytearray(2**30)", 30.0))
except MachineFailed as failed:
    print(failed)
kernel.stop()
kernel = start_kernel(project.current(), Environment(), budgets)
print(execute(kernel, "print(1)", 30.0)[0]["text"].strip())
kernel.stop()
"""
)


@EITHER
def test_a_kernel_that_the_machine_has_no_memory_for_is_the_machines_fault(kind, run_command):
    with cgroup("memory", ()) as folder:
        (folder / "memory.limit_in_bytes").write_text(str(500 * 2**20))
        inside = ["sh", "-c", 'echo $$ > "$0"; exec "$@"', folder / "cgroup.procs"]
        done = run_command(*inside, sys.executable, "-c", NO_MEMORY, kind)
    first, *others = done.stdout.split("\n")
    assert ("out of memory" in first or "server ended" in first) and others == ["1", ""], done.stdout + done.stderr


NO_FILES = (
    IMPORTS
    + """
tempfile.tempdir = tempfile.mkdtemp(prefix="lk-", dir="/tmp")
os.chmod(tempfile.tempdir, 0o711)
first = ForkedKernel(project.current(), Environment(), Budgets())
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
for told in sys.argv[1:]:
    name, left = told.split("-")
    kind, kept = {"warm": ForkedKernel, "stock": StockKernel}[name], []
    try:
        while True:
            kept.append(os.dup(0))
    except OSError:
        for _ in range(int(left)):
            os.close(kept.pop())
    said = "it starts"
    try:
        kernel = kind(project.current(), Environment(), Budgets())
    except MachineFailed as failed:
        said = f"{type(failed).__name__} {failed}"
    else:
        kernel.stop()
    for each in kept:
        os.close(each)
    print(told, said)
shutil.rmtree(tempfile.tempdir)
"""
)


def test_no_file_that_the_grader_can_open_is_the_machines_fault(run_command):
    """A warm or a stock kernel is started when the grader can open only a few more files, or none."""
    few = ("warm-0", "stock-1", "warm-5", *(("stock-0", "warm-1", "stock-5") if LONG else ()))
    done = run_command(sys.executable, "-c", NO_FILES, *few)
    assert done.returncode == 0, done.stderr[-2000:]
    said = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    assert said.pop("warm-5") == "it starts"  # five are enough for a warm kernel
    assert set(said) == {*few} - {"warm-5"} and all("Too many open files" in line for line in said.values()), said


LITTLE_MEMORY = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]),) * 2)
sys.path.insert(0, sys.argv[2])
from kernel_outputs import run_of
from labkit.grade.sandbox.faults import MachineFailed
from labkit.student.model.course import Exercise, Probe
for name in ("double", "deadly"):
    session = run_of("def double(x): return bytearray(x)[:1]\\ndef deadly(x): import os; os._exit(1)")
    try:
        print(session.ask(Exercise(name, 1), Probe((2**33,))).error)
    except MachineFailed as failed:
        print("MachineFailed", failed)
    session.close()
"""


@pytest.mark.parametrize(("mib", "said"), [(3000, ["MachineFailed"] * 2), (5000, ["MemoryError", "KernelDied"])])
def test_too_little_memory_is_the_machines_fault_where_a_kernel_has_less_than_its_budget(mib, said, run_command):
    done = run_command(sys.executable, "-c", LITTLE_MEMORY, mib * 2**20, Path(__file__).parent.parent)
    assert [line.split()[0] for line in done.stdout.splitlines()] == said, done.stderr[-2000:]
    assert ("ulimit -v" in done.stdout) == (mib == 3000)


NO_SHARE_LEFT = (
    IMPORTS
    + """
start_kernel(project.current(), Environment(), budgets).stop()
kept, number = [None] * 10**6, 0
privileges.bound_from_now(30, 12 * 2**20)
for size in (2**16, 2**12, 2**9, 2**6):
    try:
        while True:
            kept[number] = bytes(size)
            number += 1
    except MemoryError:
        pass
kept[number - 50 : number] = [None] * 50
kernel = start_kernel(project.current(), Environment(), budgets)
del kept
print(execute(kernel, "print(1)", 30.0)[0]["text"])
kernel.stop()
"""
)


@EITHER
def test_a_submission_that_used_all_the_graders_memory_gets_its_kernel(kind, run_command):
    """It used to get no kernel, or the reply to its start was read as the reply to the next request."""
    done = run_command(sys.executable, "-c", NO_SHARE_LEFT, kind)
    assert done.stdout == "1\n\n", done.stdout + done.stderr[-2000:]


def test_a_kernel_that_cannot_be_started_is_tried_again(monkeypatch, start_kernel):
    """Another submission's threads may use up the limit on processes until its kernel is ended."""
    tries = []

    def start_late(*_, lab):
        tries.append(1)
        if len(tries) < forked.TRIES:
            raise MachineFailed("no more processes")
        return start_kernel()

    monkeypatch.setattr(forked, "ForkedKernel", start_late)
    monkeypatch.setattr(forked, "PAUSE", 0.01)
    assert (
        said(forked.start_kernel(project.current(), Environment(), Budgets()), "print(1)") == "1\n"
        and len(tries) == forked.TRIES
    )


@pytest.mark.parametrize("kind", every(2, [ForkedKernel, StockKernel], why="the same in a stock kernel"))
def test_outputs_of_a_cell_have_a_million_parts_at_most_together(kind, start_kernel):
    """Five outputs, each of a third of a million parts, used to take all of the grader's memory."""
    kernel = start_kernel(kind)
    said(kernel, "from IPython.display import display")
    said(kernel, "display({'application/json': [{}] * 300_000}, raw=True)")
    with pytest.raises(OverBudget, match="outputs of more than a million parts"):
        execute(kernel, "for _ in range(3): display({'application/json': [{}] * 200_000}, raw=True)", 20.0)


LARGE_OUTPUTS = (
    IMPORTS
    + """
kernel = start_kernel(project.current(), Environment(), budgets)
privileges.bound_from_now(30, 12 * 2**20)
try:
    print("nothing", execute(kernel, "for _ in range(9): display({'text/plain': 'x' * 5_000_000}, raw=True)", 30.0)[0]["data"].keys())
except Exception as error:
    print(type(error).__name__, error, kernel.is_alive())
kernel.stop()
"""
)


@EITHER
def test_outputs_that_the_grader_has_no_memory_for_end_their_kernel(kind, run_command):
    """If only the cell failed, the next one would have to read the other outputs and run out of time."""
    done = run_command(sys.executable, "-c", LARGE_OUTPUTS, kind)
    assert done.stdout == "OverBudget made outputs that take too much memory to be read False\n", (
        done.stdout + done.stderr
    )


KINDS = pytest.mark.parametrize("kind", [ForkedKernel, StockKernel])


@pytest.fixture
def small_disk(monkeypatch, tmp_path):
    """A folder on a separate 8 MiB disk, which holds the folders of this test's kernels."""
    folder = tempfile.mkdtemp(prefix="lk-", dir="/tmp")
    mount(folder, "size=8m,mode=755")
    monkeypatch.setattr(tempfile, "tempdir", folder)
    monkeypatch.setattr(servers, "_servers", kept := {})
    yield folder
    for each in kept.values():
        each.close()
    subprocess.run(["umount", "-l", folder], timeout=20)
    os.rmdir(folder)


def fill(folder: str) -> None:
    try:
        with open(f"{folder}/filled", "wb", buffering=0) as file:
            while file.write(bytes(2**16)):
                pass
    except OSError:
        pass


@KINDS
def test_a_full_disk_is_the_machines_fault(kind, start_kernel, small_disk):
    kernel = start_kernel(kind)
    message = begin(kernel, SLEEP)
    fill(small_disk)
    with pytest.raises(MachineFailed, match="no space left"):
        kernel.await_reply(message, timeout=50)
    with pytest.raises(MachineFailed, match="no space left"):
        kernel.meter.watch.look_at_disk()
    before = set(os.listdir(small_disk))
    with pytest.raises(MachineFailed, match="[Nn]o space left"):
        start_kernel(kind)
    assert set(os.listdir(small_disk)) == before
    os.remove(f"{small_disk}/filled")
    assert said(start_kernel(kind), "print(1)") == "1\n"


@KINDS
def test_a_full_disk_is_noticed_when_the_kernel_is_stopped(kind, start_kernel, small_disk):
    """The disk may be full only between two checks; an answer that fails then is not at fault."""
    run = run_of()
    run.kernel = start_kernel(kind)
    fill(small_disk)
    with pytest.raises(MachineFailed, match="no space left"):
        run.close()
    assert run.kernel is None
    run.close()


def test_only_space_for_ordinary_users_counts(monkeypatch, tmp_path):
    monkeypatch.setattr(watching, "INTERVAL", 0)
    watch = Watch(tmp_path, Budgets(files=10))
    room = SimpleNamespace(f_bavail=1000, f_frsize=4096, f_files=100, f_favail=50)
    for change in ({"f_bavail": 255}, {"f_favail": 15}):
        monkeypatch.setattr(watching.os, "statvfs", lambda _, now={**vars(room), **change}: SimpleNamespace(**now))
        with pytest.raises(MachineFailed):
            watch.look_at_disk()
    for change in ({}, {"f_files": 0, "f_favail": 0}):  # some file systems do not count files
        monkeypatch.setattr(watching.os, "statvfs", lambda _, now={**vars(room), **change}: SimpleNamespace(**now))
        watch.look_at_disk()
    monkeypatch.setattr(watching.os, "statvfs", lambda _: SimpleNamespace(**{**vars(room), "f_bavail": 0}))
    for number in range(11):
        (tmp_path / str(number)).touch()
    assert "10 files" in watch.complaint()  # the kernel's own disk budget is checked first
