"""Warm kernels: what they show is what a stock kernel shows, nothing passes from one to the next, and none does harm."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from queue import Empty

import nbformat
import pytest
from class_of_examples import MADE

from labkit import project
from labkit.assemble import assemble
from labkit.budgets import Budgets
from labkit.course import labs
from labkit.kernel import server_process
from labkit.kernel.confine import best_layer
from labkit.kernel.execution import execute
from labkit.kernel.running import KernelDied, OverBudget, SubmissionKernel
from labkit.kernel.server import WarmServer
from labkit.kernel.server_process import start_server
from labkit.kernel.warm import WarmKernel
from labkit.notebooks import Submission, read_submission
from labkit.setup_cell import has_locked_module, setup_imports

pytestmark = pytest.mark.skipif(not server_process.available(), reason="warm kernels need Linux")
BUDGETS = Budgets(cell_seconds=4, notebook_seconds=60)
CLASS = project.ROOT / "examples" / "class"
DIFFERS = [  # between any two kernels
    (r"labkit-\w+/home[-\d]*", "HOME"),
    (r"ipykernel_\d+/\d+", "CELL"),
    (r"0x[0-9a-f]{6,}", "0x"),
]


@pytest.fixture
def start():
    started = []

    def start(kind=WarmKernel, locked_module=False, budgets=BUDGETS, *modules):
        started.append(kind(locked_module, budgets, *modules))
        return started[-1]

    yield start
    for kernel in started:
        kernel.stop()


def said(kernel, source: str) -> str:
    return "".join(output.get("text") or output.get("ename", "") for output in execute(kernel, source, 5.0))


def seen(kernel, source: str) -> list:
    """All that a front end would show of a cell, but pictures; the end of the kernel too."""
    shown = []
    try:
        message = kernel.execute_cell_input(source, allow_stdin=False)
        kernel.await_reply(message, timeout=BUDGETS.cell_seconds)
        while True:
            received = kernel.get_message("iopub", timeout=5)
            kind, content = received["msg_type"], received["content"]
            if received["parent_header"].get("msg_id") != message or kind in ("execute_input", "comm_open", "comm_msg"):
                continue
            if kind == "status":
                if content["execution_state"] == "idle":
                    return shown
            elif kind == "stream" and shown and shown[-1][:2] == [kind, content["name"]]:
                shown[-1][2] += plain(content["text"])
            elif kind == "stream":
                shown.append([kind, content["name"], plain(content["text"])])
            elif "data" in content:
                data = {
                    mime: plain(str(value)) for mime, value in content["data"].items() if not mime.startswith("image/")
                }
                shown.append([kind, {mime: text for mime, text in data.items() if "widget" not in mime}])
            else:
                shown.append([kind, {name: plain(str(value)) for name, value in content.items()}])
    except (KernelDied, Empty) as error:
        return [type(error).__name__]


def plain(text: str) -> str:
    for pattern, replacement in DIFFERS:
        text = re.sub(pattern, replacement, text)
    return text


def submissions() -> dict[str, Path]:
    files = {name: project.SOLUTIONS / f"{name}.ipynb" for name in labs()}
    for example in MADE:
        files[example.student] = CLASS / example.student / (example.file or f"{example.lab}.ipynb")
    return {name: path for name, path in files.items() if isinstance(read_submission(path), Submission)}


@pytest.mark.parametrize("name", submissions())
def test_a_notebook_shows_what_it_shows_in_a_stock_kernel(name, start):
    assembled = assemble(read_submission(submissions()[name]))
    kernels = [
        start(WarmKernel, has_locked_module(assembled.lab.name), BUDGETS, setup_imports(assembled.lab.name)),
        start(SubmissionKernel, has_locked_module(assembled.lab.name)),
    ]
    for cell in assembled.notebook.cells:
        if cell.cell_type == "code":
            by_warm, by_stock = (seen(kernel, cell.source) for kernel in kernels)
            assert by_warm == by_stock, cell.id
            if by_warm in (["Empty"], ["KernelDied"]):
                return


CELLS = [
    "print('a'); 1 + 1", "import sys; print('out'); print('err', file=sys.stderr); print('out again')",
    "import ctypes, os; libc = ctypes.CDLL(None); libc.puts(b'from C'); _ = libc.fflush(None)",
    "from IPython.display import HTML, clear_output, display\ndisplay(HTML('<b>x</b>')); clear_output(); display('y')",
    "import matplotlib; matplotlib.pyplot",
    "import matplotlib.pyplot as plt; plt.plot([1, 2]); plt.show(); print('after')", "plt.plot([1, 2])",
    "figure, ax = plt.subplots(); ax.set_title('t'); figure",
    "%matplotlib inline\nplt.plot([1]); print(plt.get_backend())", "1 / 0",
    "def f():\n    return undefined\ntry:\n    f()\nexcept NameError as error:\n    raise ValueError('x') from error",
    "if:", "raise SystemExit('bye')", "input()", "import getpass; getpass.getpass()",
    "import warnings; warnings.warn('careful')",
    "import asyncio\nasync def later():\n    await asyncio.sleep(0.01)\n    return 'later'\nawait later()",
    "asyncio.get_running_loop().is_running()",
    "import threading\nthread = threading.Thread(target=print, args=('in a thread',)); thread.start(); thread.join()",
    "%who_ls", "%%capture kept\nprint('kept')", "kept.stdout", "%nosuchmagic", "%run nothing.py", "_",
    "_dh, [str(each) for each in _dh] == [os.getcwd()]", "print(__name__)",
    "class Odd:\n    def __repr__(self): raise RuntimeError('no repr')\nOdd()", "float('nan')", "'é' * 3",
    "from math import *; pi",
    "import json; sorted(each for each in os.environ if not each.startswith(('JPY', 'PWD', 'PYDEVD')))",
    "sys.flags.isolated, sys.stdout.encoding, sys.stdout.isatty()",
    "import resource; [resource.getrlimit(n) for n in (resource.RLIMIT_AS, resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE)]",
    "import numpy as np; np.__config__ and np.arange(3)", "raise KeyboardInterrupt", "%xmode minimal\n1 / 0", "x = 5; x;",
    "x", "get_ipython().execution_count", "import labkit.check; labkit.check.check('frequencies')", "os._exit(3)",
]  # fmt: skip


def test_odd_cells_show_what_they_show_in_a_stock_kernel(start):
    kernels = start(), start(SubmissionKernel)
    shown = [[source, *(seen(kernel, source) for kernel in kernels)] for source in CELLS]
    assert [each for each in shown if each[1] != each[2]] == []


def test_what_is_written_past_python_is_shown_in_order(start):
    past = "_ = os.write(2, b'4\\n'), os.write(1, b'5' * 200_000)"
    source = f"import os\nprint('one'); os.write(1, b'two\\n'); print('three'); {past}"
    streams = seen(start(), source)
    assert streams == [["stream", "stdout", "one\ntwo\nthree\n" + "5" * 200_000], ["stream", "stderr", "4\n"]]


def test_half_a_character_is_shown_as_a_question_mark(start):
    assert said(start(), "print('a\\ud800b', '\\N{GRINNING FACE}')") == "a?b \N{GRINNING FACE}\n"


SPOILED = """
import builtins, os, random, sys, warnings
import labkit.compare, labkit.check, matplotlib, numpy as np
np.spoiled = builtins.spoiled = labkit.compare.spoiled = sys.spoiled = True
np.allclose = labkit.check.examine = lambda *_, **__: True
matplotlib.rcParams['lines.linewidth'] = 77
np.random.seed(1); random.seed(1); np.seterr(all='raise'); np.set_printoptions(precision=1)
warnings.simplefilter('error'); os.environ['SPOILED'] = '1'; sys.path.append('spoiled')
kept = [open('kept', 'w') for _ in range(5)]
sys.modules['spoiled'] = sys
"""
STATE = """
import builtins, os, random, sys, warnings
import labkit.compare, labkit.check, matplotlib, numpy as np
print([hasattr(each, 'spoiled') for each in (np, builtins, labkit.compare, sys)], np.allclose, labkit.check.examine,
      matplotlib.rcParams['lines.linewidth'], np.geterr(), np.get_printoptions()['precision'], warnings.filters,
      sorted(os.environ), sys.path, len(os.listdir('/proc/self/fd')), 'spoiled' in sys.modules, os.listdir())
"""


def test_nothing_passes_from_one_kernel_to_the_next(start):
    before = seen(first := start(), STATE)
    assert not said(second := start(), SPOILED)
    assert first.server is second.server
    for _ in range(2):
        assert seen(start(), STATE) == before


def test_each_kernel_has_random_numbers_of_its_own(start):
    draw = "import random, numpy as np; print(random.random(), np.random.rand(), np.random.default_rng().random())"
    drawn = [number for _ in range(3) for number in said(start(), draw).split()]
    assert len(set(drawn)) == 9


def test_the_locked_module_is_with_the_labs_that_have_it(start):
    secret = "('minimodel', 'reference', 'solutions', 'labkit.grading')"
    hidden = f"import sys; print([name for name in sys.modules if name.startswith({secret})])"
    assert said(start(), hidden) == "[]\n"
    assert said(start(), "import minimodel") == "ModuleNotFoundError"
    given = start(locked_module=True)
    assert said(given, "from minimodel.positional.sinusoidal import sinusoidal_pe; print('ok')") == "ok\n"


@pytest.mark.parametrize(
    "source",
    [
        "import os; os._exit(0)",
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
        "import ctypes; ctypes.string_at(0)",
        "exit()\nimport time; time.sleep(1)",
        "import os; os.closerange(3, 256)",
    ],
)
def test_a_kernel_that_dies_is_noticed_at_once(start, source):
    kernel, started = start(), time.monotonic()
    with pytest.raises(KernelDied):
        execute(kernel, source, 60.0)
        execute(kernel, "1", 60.0)
    assert time.monotonic() - started < 5 and not kernel.is_alive()
    assert said(start(), "print(1)") == "1\n"


def test_an_interrupt_ends_a_cell_and_not_the_kernel(start):
    kernel = start()
    flood = "while True: print('x' * 1000, flush=True); time.sleep(0.001)"
    for source in ("while True: pass", "import time; time.sleep(60)", flood):
        message = kernel.execute_cell_input(source)
        with pytest.raises(Empty):
            kernel.await_reply(message, timeout=0.3)
        kernel.interrupt()
        kernel.await_reply(message, timeout=5)
        kernel.await_idle(message, timeout=5)
    assert said(kernel, "print('still here')") == "still here\n"


def test_an_interrupt_comes_once(start):
    """A second one would hit the report of the first, which then is no error but a line on standard error."""
    kernel = start()
    count = "import signal, time; heard = []; signal.signal(signal.SIGINT, lambda *_: heard.append(1)); print('ready', flush=True)"
    message = kernel.execute_cell_input(count + "\nfor _ in range(1000): time.sleep(0.001)")
    while kernel.get_message("iopub", timeout=5)["content"].get("text") != "ready\n":
        pass
    for _ in range(100):
        kernel.interrupt()
        time.sleep(0.005)
    kernel.await_reply(message, timeout=5)
    assert 0 < int(said(kernel, "print(len(heard))")) <= 100


def test_the_notebook_has_a_deadline(start):
    kernel = start(budgets=Budgets(notebook_seconds=1))
    with pytest.raises(Empty):
        execute(kernel, "import time; time.sleep(60)", 60.0)
    assert kernel.out_of_time


CONNECTION = "import os, struct; out = get_ipython().kernel.session.channel.connection.fileno()\n"


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("print('x' * 1000 * 2**20)", OverBudget),
        ("for _ in range(20_000): display(1)", OverBudget),
        ("while True: os.write(out, struct.pack('>I', 2) + b'{}')", KernelDied),
        (
            "for n in range(100):\n    with open(f'file-{n}', 'wb') as file: file.write(b'0' * 60 * 2**20)",
            OverBudget,
        ),
        ("os.write(out, b'\\xff' * 64)", OverBudget),
        ("os.write(out, struct.pack('>I', 60_000) + b'[' * 60_000)", KernelDied),
        ("data = b'[[],' * 1_000_000; os.write(out, struct.pack('>I', len(data))); os.write(out, data)", OverBudget),
        (
            "get_ipython().kernel.session.channel.send('error', {'ename': '', 'evalue': '', 'traceback': [1]})",
            KernelDied,
        ),
    ],
)
def test_bytes_that_are_no_output_end_the_kernel(start, source, error):
    kernel = start(budgets=Budgets(cell_seconds=20, memory_bytes=8 * 2**30))
    with pytest.raises(error):
        execute(kernel, CONNECTION + source + "\nimport time; time.sleep(5)", 20.0)
    assert not kernel.is_alive() and not kernel.folder.exists()


def test_a_request_that_is_not_read_does_not_hold_the_grader_up(start):
    kernel, started = start(budgets=Budgets(cell_seconds=1)), time.monotonic()
    kernel.execute_cell_input("while True: pass")
    with pytest.raises(KernelDied):
        kernel.execute_cell_input("#" * 10**7)
    assert time.monotonic() - started < 5


def test_two_at_once_do_not_reach_one_another(start):
    victim, attacker = start(), start()
    said(victim, "secret = 42; open('secret', 'w').write('42')")
    attacks = (
        f"open({str(victim.folder)!r} + '/secret').read()",
        "os.kill(os.getppid(), 9)",
        "os.kill(-1, 9)",
        "os.fork()",
    )
    attempt = "import os\nfor attack in {}:\n    try: print(eval(attack))\n    except OSError: print('refused')"
    reach = said(attacker, attempt.format(attacks)) if victim.server.access.layer != "limits" else "refused\n" * 4
    assert reach == "refused\n" * 4
    assert said(victim, "print(secret)") == "42\n" and victim.is_alive()


def processes_in(folder: Path) -> set[int]:
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if str(folder).encode() in (process / "environ").read_bytes():
                found.add(int(process.name))
        except OSError:
            pass
    return found


def gone(folder: Path) -> bool:
    for _ in range(50):
        if not processes_in(folder):
            return True
        time.sleep(0.1)
    return False


def test_stopping_leaves_nothing_behind(start):
    kernel = start()
    said(kernel, "import threading, time; threading.Thread(target=time.sleep, args=(99,)).start()")
    before = processes_in(kernel.server.folder)
    kernel.stop()
    kernel.stop()  # twice is no harm
    assert not kernel.folder.exists() and len(processes_in(kernel.server.folder)) == len(before) - 1


def test_a_server_that_is_gone_is_replaced(start):
    first = start()
    for process in processes_in(first.server.folder):
        os.kill(process, signal.SIGKILL)
    with pytest.raises(KernelDied):
        execute(first, "1", 5.0)
    assert said(start(), "print(1)") == "1\n" and start().server is not first.server


GRADER = """
import sys, time
from labkit.budgets import Budgets
from labkit.kernel.warm import WarmKernel
kernel = WarmKernel(False, Budgets())
kernel.execute_cell_input("while True: pass")
print(kernel.server.folder, flush=True)
{then}
"""


@pytest.mark.parametrize("then", ["", "1 / 0", "time.sleep(60)"])
def test_no_kernel_outlives_its_grader(then, tmp_path):
    command, environment = [sys.executable, "-c", GRADER.format(then=then)], {**os.environ, "TMPDIR": str(tmp_path)}
    quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen(command, env=environment, **quiet) as grader:
        folder = Path(grader.stdout.readline().strip())
        if "sleep" in then:
            grader.kill()
        grader.wait(20)
    assert gone(folder) and not folder.exists()


def test_reference_outputs_are_reproduced(start):
    """A guard against a kernel that silently shows nothing."""
    kernel = start()
    cells = nbformat.read(project.SOLUTIONS / "01_build_the_table.ipynb", as_version=4).cells
    shown = [cell for cell in cells if cell.cell_type == "code" and seen(kernel, cell.source)]
    assert len(shown) == sum(bool(cell.get("outputs")) for cell in cells) > 5


def test_what_was_loaded_beforehand_is_not_loaded_again(run_command):
    """Found by asking why `import matplotlib.pyplot` took a kernel 10 ms: it was, from its source."""
    done = run_command(sys.executable, "-c", PRELOADED)
    assert done.stdout.split() == ["True", "True"], done.stderr


PRELOADED = """
import sys
from labkit.kernel.preload import Preloaded

preloaded = Preloaded("matplotlib.pyplot")
before = preloaded.modules["matplotlib.pyplot"]
preloaded.hide()
import matplotlib
print(not hasattr(matplotlib, "pyplot") and "matplotlib.pyplot" not in sys.modules)
import matplotlib.pyplot
print(matplotlib.pyplot is before is sys.modules["matplotlib.pyplot"])
"""


def test_one_server_serves_several_who_ask_and_outlives_all_but_its_owner():
    """As the workers of a grader use one: what one of them leaves running ends with it, and the others' go on."""
    process = start_server(best_layer(), False, ("numpy",), guests=2)
    try:
        leaving, staying = (WarmServer(access) for access in process.guests)
        kernels = [server.start_kernel(server.next_home(), BUDGETS) for server in (leaving, staying)]
        assert all(server.is_alive() for server in (leaving, staying))
        leaving.close()
        assert kernels[0][1].recv(2**16) == b"" and not leaving.is_alive()
        assert staying.tell(kernels[1][0], "alive")["alive"]
    finally:
        process.close()
    assert kernels[1][1].recv(2**16) == b"" and not staying.is_alive() and not process.access.folder.exists()
    with pytest.raises(KernelDied):
        staying.start_kernel(staying.next_home(), BUDGETS)
