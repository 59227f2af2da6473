"""A forked kernel that dies, hangs, floods its output or is abandoned is noticed, affects no other kernel, and leaves nothing behind."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from handouts import QUICK
from kernel_outputs import begin, said
from longer import every
from needs import needs
from processes import PATIENCE, first_line, gone, processes_in, started, until

from labkit.grade.kernel.meter import KernelDied, OverBudget
from labkit.grade.kernel.nbval_bridge import execute
from labkit.grade.kernel.servers import hear_hello, start_server
from labkit.grade.sandbox.confine import best_layer
from labkit.grade.sandbox.faults import MachineFailed, ServerGone
from labkit.student.calls import wire
from labkit.student.calls.calling import reply
from labkit.student.model import project
from labkit.student.model.budgets import MIB, Budgets
from labkit.student.model.course import Environment

pytestmark = needs("Linux")


def test_an_interrupt_ends_a_cell_and_not_the_kernel(start_kernel):
    kernel = start_kernel()
    flood = "while True: print('x' * 1000, flush=True); time.sleep(0.001)"
    for source in ("while True: pass", "import time; time.sleep(60)", flood):
        message = begin(kernel, source)
        kernel.interrupt()
        kernel.await_reply(message, timeout=50)
        kernel.await_idle(message, timeout=50)
    assert said(kernel, "print('still here')") == "still here\n"


def test_an_interrupt_comes_once(start_kernel):
    """A second interrupt would cut off the report of the first and send it to standard error only."""
    kernel = start_kernel()
    count = "import signal, time; heard = []; signal.signal(signal.SIGINT, lambda *_: heard.append(1))"
    message = begin(kernel, "for _ in range(1000): time.sleep(0.001)", before=count)
    for _ in range(100):
        kernel.interrupt()
        time.sleep(0.005)
    kernel.await_reply(message, timeout=50)
    assert 0 < int(said(kernel, "print(len(heard))")) <= 100


CONNECTION = "import os, struct; out = get_ipython().kernel.session.channel.connection.fileno()\n"


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("print('x' * 100 * 2**20)", OverBudget),
        ("while True: os.write(out, struct.pack('>I', 2) + b'{}')", KernelDied),
        ("os.write(out, b'\\xff' * 64)", OverBudget),
        (
            'data = b\'{"id":"1","type":"stream","content":{"name":"","text":"\\xed\\xa0\\x80"}}\'; '
            "os.write(out, struct.pack('>I', len(data)) + data)",
            KernelDied,
        ),
        ("os.write(out, struct.pack('>I', 60_000) + b'[' * 60_000)", KernelDied),
        ("data = b'[[],' * 1_000_000; os.write(out, struct.pack('>I', len(data))); os.write(out, data)", OverBudget),
        (
            "get_ipython().kernel.session.channel.send('error', {'ename': '', 'evalue': '', 'traceback': [1]})",
            KernelDied,
        ),
    ],
)
def test_bytes_that_are_no_output_end_the_kernel(start_kernel, source, error):
    little = {"output_bytes": 20 * MIB, "outputs": 1_000}
    kernel = start_kernel(budgets=Budgets(cell_seconds=20, memory_bytes=8 * 2**30, **little))
    with pytest.raises(error):
        execute(kernel, CONNECTION + source + "\nimport time; time.sleep(5)", 20.0)
    assert not kernel.is_alive() and not kernel.folder.exists()


def test_a_forged_end_of_a_call_is_no_reply(start_kernel):
    kernel = start_kernel()
    forged = "get_ipython().kernel.session.channel.send('execute_reply', {'status': 'ok', 'reply': 'x'})"
    said(kernel, f"def ends():\n    {forged}\ndef one():\n    return 1")
    call = [wire.dumps([name, "function", [], False]) for name in ("ends", "ends", "one")]
    assert [kernel.answer(each, 50.0) for each in call] == [None, None, reply(1)]


def test_a_request_that_is_not_read_does_not_hold_the_grader_up(start_kernel):
    kernel = start_kernel(budgets=Budgets(cell_seconds=1))
    kernel.execute_cell_input("while True: pass")
    with pytest.raises(KernelDied, match="accepts no more"):  # else it would wait for ever
        kernel.execute_cell_input("#" * 10**7)


def test_stopping_leaves_nothing_behind(start_kernel):
    kernel = start_kernel()
    said(kernel, "import threading, time; threading.Thread(target=time.sleep, args=(99,)).start()")
    process, folder = kernel.meter.watch.process, kernel.server.folder
    assert process in processes_in(folder)
    kernel.stop()
    kernel.stop()  # a second stop does nothing
    assert not kernel.folder.exists() and process not in processes_in(folder)


def test_a_server_that_is_gone_is_replaced(start_kernel):
    first = start_kernel()
    for process in processes_in(first.server.folder):
        with suppress(ProcessLookupError):  # it ended with the previous one
            os.kill(process, signal.SIGKILL)
    with pytest.raises(MachineFailed):
        execute(first, "1", 50.0)
    assert said(start_kernel(), "print(1)") == "1\n" and start_kernel().server is not first.server


DEEP = """
import os
for _ in range(1500):
    os.mkdir('a')
    os.chdir('a')
"""


def test_folders_deeper_than_python_recurses_are_removed_too(start_kernel):
    kernel = start_kernel(budgets=replace(QUICK, files=2_000))
    said(kernel, DEEP)
    kernel.stop()
    assert not kernel.folder.exists()


GRADER = """
import sys, time
from labkit.student.model.budgets import Budgets
from labkit.student.model import project
from labkit.student.model.course import Environment
from labkit.grade.kernel.forked import ForkedKernel
kernel = ForkedKernel(project.current(), Environment(), Budgets())
kernel.execute_cell_input("while True: pass")
print(kernel.server.folder, flush=True)
{then}
"""


@pytest.mark.parametrize("then", every(2, ["", "1 / 0", "time.sleep(60)"], why="the grader ends in another way"))
def test_no_kernel_outlives_its_grader(then, tmp_path):
    program, environment = GRADER.format(then=then), {**os.environ, "TMPDIR": str(tmp_path)}
    quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with started(sys.executable, "-c", program, env=environment, **quiet) as grader:
        folder = Path(first_line(grader))
        if "sleep" in then:
            grader.kill()
        grader.wait(PATIENCE)
        assert gone(folder) and not folder.exists()


KILLED_EARLY = """
import os, signal
from labkit.student.model import project
from labkit.student.model.course import Environment
from labkit.grade.kernel import workdir
from labkit.grade.kernel import servers
workdir.make_import_root = lambda project, folder, environment: folder.parent.is_dir() and os.kill(os.getpid(), signal.SIGKILL)
servers.start_server(project.current(), "limits", Environment(warm=()))
"""


def test_a_grader_killed_while_making_its_folder_leaves_none(tmp_path):
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with started(sys.executable, "-c", KILLED_EARLY, env=environment) as grader:
        assert grader.wait(PATIENCE) == -signal.SIGKILL
        assert until(lambda: not list(tmp_path.iterdir()))


def test_one_server_serves_several_processes_and_ends_with_its_owner():
    """A grader's workers share a server in this way. When a worker ends, only its own kernels end."""
    numpy = Environment(warm=("numpy",))
    owner, leaving, staying, unused = start_server(project.current(), best_layer(), numpy, clients=3)
    try:
        kernels = [server.start_kernel(server.next_workdir(), Budgets()) for server in (leaving, staying)]
        assert all(server.is_alive() for server in (leaving, staying))
        for _, connection in kernels:
            connection.settimeout(PATIENCE)
        assert all(hear_hello(connection) for _, connection in kernels)
        leaving.close()
        assert kernels[0][1].recv(2**16) == b"" and not leaving.is_alive()
        assert staying.tell(kernels[1][0], "alive")["alive"]
    finally:
        owner.close()
    assert kernels[1][1].recv(2**16) == b"" and not staying.is_alive() and not owner.folder.exists()
    for server in (staying, unused):  # the unused one has not yet read that the server is ready
        with pytest.raises(ServerGone):
            server.start_kernel(server.next_workdir(), Budgets())
        assert not server.is_alive()


DRAWS = "import random, numpy as np; print(hash('a'), [*{'a', 'b', 'c'}], random.random(), np.random.rand())"


def test_kernels_of_two_servers_draw_the_same_without_a_seed(start_kernel):
    """An answer that relies on the order of a set, or draws without a seed, gets the same points in every run."""
    one, other = (Environment(warm=warm) for warm in (("numpy",), ("numpy", "matplotlib.pyplot")))
    drawn = {said(start_kernel(environment=each), DRAWS) for each in (one, other)}
    assert len(drawn) == 1 and "[" in drawn.pop()
