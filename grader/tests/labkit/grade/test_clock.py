"""Time budgets: waiting for a CPU does not count against a kernel, and no kernel escapes its budget."""

import os
import subprocess
import sys
import time
from contextlib import contextmanager
from queue import Empty

import pytest
from kernel_outputs import said
from longer import each_value_once, every
from needs import needs
from processes import PATIENCE

from labkit.grade.kernel import meter
from labkit.grade.kernel.forked import ForkedKernel
from labkit.grade.kernel.meter import LAG, OUTER, Clock
from labkit.grade.kernel.nbval_bridge import execute
from labkit.grade.kernel.servers import available
from labkit.grade.kernel.stock import StockKernel
from labkit.student.model.budgets import Budgets

ALL = [ForkedKernel, StockKernel] if available() else [StockKernel]
WHY = "another kind of kernel or answer"
WARM, STOCK = (pytest.mark.parametrize("kind", every(2, ALL, start % len(ALL), WHY)) for start in (0, 1))
COUNTED = needs("schedstat")
BUSY = """
import time
until = time.process_time() + {seconds}
while time.process_time() < until: pass
print('right')
"""


@contextmanager
def crowd(each: int = 2):
    """Start several busy processes for every processor. They end by themselves if this process is killed.

    Each busy process has its own session, because Linux divides a processor's time among sessions first.
    """
    source = "import time\nuntil = time.monotonic() + 120\nwhile time.monotonic() < until: pass"
    busy = [
        subprocess.Popen([sys.executable, "-c", source], start_new_session=True)
        for _ in range(each * (os.cpu_count() or 1))
    ]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
        for process in busy:
            process.wait(20)


@COUNTED
@WARM
def test_a_right_answer_that_waits_for_a_processor_is_not_out_of_time(kind, start_kernel):
    """Twelve answers of 4 seconds, run at once on two processors, all used to time out after 10 seconds."""
    kernel = start_kernel(kind, budgets=Budgets(cell_seconds=0.75, notebook_seconds=1))
    with crowd():
        started = time.monotonic()
        outputs = execute(kernel, BUSY.format(seconds=0.5), 0.75)
        took = time.monotonic() - started
    assert "".join(output["text"] for output in outputs) == "right\n" and not kernel.meter.clock.out_of_time
    assert took > 0.75, "the kernel never waited for a processor, so this tested nothing"
    kernel.meter.clock.settle()
    assert 0.4 < kernel.meter.clock.spent < 1


@pytest.mark.parametrize(
    ("kind", "source"), each_value_once(ALL, ["while True: pass", "import time; time.sleep(60)"], why=WHY)
)
def test_endless_answers_are_stopped_in_time_on_a_busy_machine_too(kind, source, start_kernel):
    kernel = start_kernel(kind, budgets=Budgets(cell_seconds=0.3))
    with crowd():
        started = time.monotonic()
        with pytest.raises(Empty):
            execute(kernel, source, 0.3)
        assert 0.3 <= time.monotonic() - started < PATIENCE  # the answer itself takes longer
    assert not kernel.meter.clock.out_of_time


@STOCK
def test_sleeping_counts_as_time(kind, start_kernel):
    kernel = start_kernel(kind, budgets=Budgets(notebook_seconds=1.5))
    for seconds, over in ((0.5, False), (60.0, True)):
        started = time.monotonic()
        with pytest.raises(Empty):
            execute(kernel, "import time; time.sleep(60)", seconds)
        assert time.monotonic() - started < PATIENCE and kernel.meter.clock.out_of_time is over
        kernel.interrupt()
    kernel.stop()
    assert kernel.meter.clock.out_of_time and 1 < kernel.meter.clock.spent < PATIENCE


def test_the_graders_own_time_is_not_the_kernels(start_kernel, monkeypatch):
    kernel, passed, now = start_kernel(budgets=Budgets(notebook_seconds=PATIENCE)), [0], time.monotonic
    monkeypatch.setattr(meter.time, "monotonic", lambda: now() + passed[0])
    for _ in range(3):
        passed[0] += PATIENCE / 2
        assert said(kernel, "print(1)") == "1\n"
    kernel.stop()
    assert kernel.meter.clock.spent < PATIENCE


DRIP = {
    ForkedKernel: "out = get_ipython().kernel.session.channel\nout.id = 'another'\nimport time\n"
    "while True:\n    out.send('{kind}', {content}); out.send('status', {{'execution_state': 'idle'}}); time.sleep(0.4)",
    StockKernel: "import time; kernel = get_ipython().kernel\nwhile True:\n"
    "    kernel.session.send({stream}, '{kind}', {content}, parent={{'header': {{'msg_id': 'another'}}}},"
    " ident={ident}); time.sleep(0.4)",
}


@WARM
def test_replies_to_other_requests_do_not_keep_a_cell_alive(kind, start_kernel):
    """Each reply used to restart the cell's time limit, so a cell with a limit of 3 seconds ran for 20."""
    reply = {"kind": "execute_reply", "content": "{'status': 'ok'}"}
    stream = "kernel.shell_streams[0] if hasattr(kernel, 'shell_streams') else kernel.shell_stream"
    source = DRIP[kind].format(
        **reply, stream=stream, ident="kernel.get_parent().get('identities') or kernel._shell_parent_ident.get()"
    )
    with pytest.raises(Empty):
        execute(start_kernel(kind, budgets=Budgets(cell_seconds=1)), source, 1.0)


@STOCK
def test_outputs_that_go_on_after_the_reply_do_not_keep_a_cell_alive(kind, start_kernel, monkeypatch):
    monkeypatch.setattr(meter, "LAG", 1.0)
    kernel = start_kernel(kind, budgets=Budgets(cell_seconds=1))
    message = kernel.execute_cell_input("import time\nwhile True: print('drip', flush=True); time.sleep(0.1)")
    with pytest.raises(Empty):
        kernel.await_reply(message, timeout=1.0)
    with pytest.raises(Empty):
        while True:
            kernel.get_message("iopub", timeout=10)


@WARM
def test_a_stream_of_outputs_does_not_delay_the_time_out(kind, start_kernel):
    """While outputs keep arriving, waiting for the next one never times out, so the total must be checked too."""
    kernel = start_kernel(kind, budgets=Budgets(cell_seconds=1, outputs=10**6))
    message = kernel.execute_cell_input("import time\nwhile True: print('drip', flush=True); time.sleep(0.002)")
    with pytest.raises(Empty):
        kernel.await_reply(message, timeout=1.0)


@pytest.fixture
def now(monkeypatch):
    """The time that clocks read, which only the test changes."""
    now = [0.0]
    monkeypatch.setattr(meter.time, "monotonic", lambda: now[0])
    return now


def test_the_system_is_asked_only_when_the_wall_clock_has_run_out(monkeypatch, now):
    asked = []
    monkeypatch.setattr(meter, "waited", lambda process: asked.append(process) or 0.5 * len(asked))
    watch = Clock(seconds=10)
    watch.follow(7)
    watch.begin()
    before = len(asked)
    left = watch.countdown("shell", 0.3)
    assert 0 < left() <= 0.3 and len(asked) == before
    now[0] = 0.35
    assert left() > 0 and len(asked) > before  # it waited for all of it
    assert watch.countdown("iopub", 5.0)() <= 0.3 + LAG


def test_waiting_stretches_a_budget_only_up_to_a_limit(monkeypatch, now):
    monkeypatch.setattr(meter, "waited", lambda _: now[0])  # all time passes in waits
    watch = Clock(seconds=100)
    watch.begin()
    left = watch.countdown("shell", 10)
    now[0] = 10.0 * OUTER - 1
    assert left() > 0
    now[0] += 1.1
    assert left() <= 0 and not watch.out_of_time
    now[0] = 100.0 * OUTER + 1
    assert left() <= 0 and watch.out_of_time


def test_all_time_counts_where_the_system_counts_no_waiting(now):
    watch = Clock(seconds=100)
    watch.follow(2**30)
    watch.begin()
    left = watch.countdown("shell", 10)
    now[0] = 4.0
    assert left() == 6
    now[0] = 10.0
    assert left() == 0
    watch.heard()
    watch.settle()
    watch.settle()
    assert watch.spent == 10
