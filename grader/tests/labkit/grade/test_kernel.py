"""A submission's kernel: what it can reach, what stops it, and what it leaves behind."""

import json
import os
import time
from contextlib import suppress
from dataclasses import replace
from queue import Empty

import psutil
import pytest
from kernel_outputs import run_of, said
from longer import every
from processes import until

from labkit.grade.judge.run import Run
from labkit.grade.kernel.forked import ForkedKernel
from labkit.grade.kernel.meter import KernelDied
from labkit.grade.kernel.nbval_bridge import execute
from labkit.grade.kernel.stock import StockKernel
from labkit.grade.sandbox.confine import CHOICE
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Raised
from labkit.student.model import project
from labkit.student.model.budgets import Budgets
from labkit.student.model.course import Environment, Exercise, Probe

FAST = Budgets(cell_seconds=0.5, notebook_seconds=60)
DOUBLE = Exercise("double", 1)
KINDS = every(2, [ForkedKernel, StockKernel], why="the same test in a stock kernel")


@pytest.fixture
def kernel(start_kernel):
    return start_kernel(StockKernel, budgets=FAST)


@pytest.mark.parametrize("kind", KINDS)
def test_only_labs_that_have_the_locked_module_can_import_it(kind, start_kernel):
    kernel = start_kernel(kind, budgets=FAST)
    assert said(kernel, "import labkit.student.notebook.examine, numpy; print('ok')") == "ok\n"
    for hidden in ("ruler", "ruler.measure", "autograder"):
        assert said(kernel, f"import {hidden}") == "ModuleNotFoundError"
    loaded = "('ruler', 'autograder', 'solutions', 'labkit.grade.batch')"
    assert said(kernel, f"import sys; print([name for name in sys.modules if name.startswith({loaded})])") == "[]\n"
    assert str(project.current().source) not in said(kernel, "print(sys.path)")
    other = start_kernel(kind, environment=Environment(("ruler",)), budgets=FAST)
    assert said(other, "from ruler.measure import spread; print(spread([1, 3]))") == "1.0\n"


def test_its_environment_is_scrubbed(kernel, monkeypatch):
    monkeypatch.setenv("SECRET_OF_THE_GRADER", "42")
    shown = said(kernel, "import os; print(sorted(os.environ))")
    assert "SECRET" not in shown and "'HOME'" in shown
    assert said(kernel, "import os; print(os.environ['HOME'] == os.getcwd() == os.path.expanduser('~'))") == "True\n"


def test_input_is_not_answered(kernel):
    assert said(kernel, "input()") == "StdinNotImplementedError"


DEADLY = (
    "import ctypes; ctypes.string_at(0)",
    "import os; os._exit(0)",
    "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
)
DEATHS = [*((ForkedKernel, source) for source in (*DEADLY, "import os; os.closerange(3, 256)")),
          *every(3, [(StockKernel, source) for source in DEADLY], why="the kernel dies in another way")]  # fmt: skip


@pytest.mark.parametrize(("kind", "source"), DEATHS)
def test_a_kernel_that_dies_is_noticed_at_once(kind, source, start_kernel):
    kernel, began = start_kernel(kind, budgets=FAST), time.monotonic()
    with pytest.raises(KernelDied):
        execute(kernel, source, 60.0)
        execute(kernel, "1", 60.0)
    assert time.monotonic() - began < 20 and not kernel.is_alive()  # less than the cell's minute
    assert said(start_kernel(kind), "print(1)") == "1\n"


FLOODS = """
import os
for fd in range(3, 200):
    try:
        os.set_blocking(fd, False)
        os.write(fd, b"\\xff" * 100_000)
    except OSError:
        pass
"""


@pytest.mark.timeout(60)
def test_a_kernel_that_breaks_its_own_sockets_cannot_block_the_grader(kernel):
    """The grader used to wait forever to send the kernel an interrupt or the request to stop."""
    for _ in range(2):
        with pytest.raises((Empty, KernelDied)):
            execute(kernel, FLOODS, 1.0)
        with suppress(KernelDied):
            kernel.interrupt()


def test_stopping_leaves_nothing_behind(monkeypatch, start_kernel):
    monkeypatch.setenv(CHOICE, "limits")  # under the other layers it cannot start a process
    kernel = start_kernel(StockKernel, budgets=FAST)
    child = int(said(kernel, "import subprocess; print(subprocess.Popen(['sleep', '99']).pid)"))
    os.kill(child, 0)  # raises if the child has ended
    folder, own = kernel.folder, kernel.km.provisioner.pid
    kernel.stop()
    kernel.stop()  # a second stop does nothing
    assert not folder.exists() and until(lambda: has_ended(own) and has_ended(child))
    with pytest.raises(KernelDied):
        kernel.execute_cell_input("1 + 1", allow_stdin=False)


def has_ended(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


@pytest.fixture(params=KINDS)
def session(request):
    made = []

    def make(*cells: str) -> Run:
        made.append(run_of(*cells, budgets=replace(FAST, stock_kernel=request.param is StockKernel)))
        return made[-1]

    yield make
    for each in made:
        each.close()


def test_an_answer_is_asked_once_for_each_probe(session):
    asked = session("calls = []\ndef double(x):\n    calls.append(x)\n    return [2 * x, len(calls)]")
    assert asked.ask(DOUBLE, Probe((3,))) == [6, 1] == asked.ask(DOUBLE, Probe((3,)))
    assert asked.ask(DOUBLE, Probe((4,))) == [8, 2]


@pytest.mark.parametrize(
    ("cell", "error"),
    [
        ("", "Undefined"),
        ("def double(x): raise NotImplementedError('double')", "NotImplementedError"),
        ("def double(x): return 1 / 0", "ZeroDivisionError"),
        ("def double(x): raise SystemExit", "SystemExit"),
        ("double = 7", "NotCallable"),
        ("def double(x): return object()", "Unsendable"),
        ("def double(x): return double", "Unsendable"),
        ("def double(x): return ValueError('no')", "ReturnedError"),
        ("def double(x): return ValueError", "ReturnedError"),
        ("def double(x):\n    import os; os._exit(1)", "KernelDied"),
        ("def double(x):\n    while True: pass", "TimedOut"),
    ],
)
def test_a_call_without_a_value_returns_raised(session, cell, error):
    assert session(cell).ask(DOUBLE, Probe((3,))).error == error


def test_a_cell_that_kills_the_kernel_costs_only_itself(session):
    asked = session(
        "def double(x): return 2 * x", "import os; os._exit(1)", "def triple(x): return 3 * x", "while True: pass"
    )
    assert asked.ask(DOUBLE, Probe((3,))) == 6
    assert asked.ask(Exercise("triple", 1), Probe((3,))) == 9
    assert [why.error for why in asked.stopped.values()] == ["KernelDied", "TimedOut"]


def test_an_answer_that_kills_the_kernel_costs_only_itself(session):
    asked = session("def double(x): return 2 * x", "def deadly(x):\n    import os; os._exit(1)")
    assert asked.ask(Exercise("deadly", 1), Probe((1,))) == Raised("KernelDied", Finding("kernel-ended"))
    assert asked.ask(DOUBLE, Probe((3,))) == 6
    assert asked.ask(Exercise("deadly", 1), Probe((2,))).error == "KernelDied"  # and is not asked again
    assert asked.starts == 2


def test_kernels_are_not_started_for_ever(session):
    asked = session(*["import os; os._exit(1)"] * 20)
    assert asked.ask(DOUBLE, Probe((1,))).error == "KernelDied"
    assert asked.starts <= 8


# A stock kernel cannot send such text unless it is changed from inside.
SURROGATES = r"""
import json
get_ipython().kernel.session.pack = lambda content: json.dumps(content, default=str).encode()
from IPython.display import display
print('a\ud800b')
display({'text/plain': 'a\ud800b', 'application/json': {'x\ud800': ['\udfff']}}, raw=True)
raise ValueError('a\ud800b')"""


@pytest.mark.parametrize("kind", [ForkedKernel, StockKernel])
def test_all_text_of_a_kernel_can_be_written(kind, start_kernel):
    outputs = execute(start_kernel(kind), SURROGATES, 10.0)
    assert json.dumps(outputs, ensure_ascii=False).encode().count(b"a?b") > 3
    assert len(outputs) == 3


def test_what_an_answer_raises_can_be_written(session):
    asked = session(r"def double(x): raise ValueError('a\ud800b')")
    assert asked.ask(DOUBLE, Probe((3,))) == Raised("ValueError", "a?b")


FORGERIES = [
    "display({'application/vnd.labkit.answer+json': 'nonsense'}, raw=True)",
    "display({'application/vnd.labkit.answer+json': '[\"value\", 6]'}, raw=True)",
    "display({'application/vnd.labkit.answer+json': {'list': ['value', 6]}}, raw=True)",
]


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_reply_is_no_answer(session, forgery):
    source = f"from IPython.display import display\ndef double(x):\n    {forgery}\n    import os, time; time.sleep(0.3); os._exit(0)"
    assert isinstance(session(source).ask(DOUBLE, Probe((3,))), Raised)
