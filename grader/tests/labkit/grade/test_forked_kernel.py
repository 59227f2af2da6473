"""Forked kernels show the same as stock kernels, pass nothing from one to the next, and find nothing about each other."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty

import nbformat
import pytest
from kernel_outputs import assert_shown_alike, said, seen
from longer import every
from needs import needs

from labkit.grade.kernel import servers
from labkit.grade.kernel.child import lines_ahead
from labkit.grade.kernel.forked import ForkedKernel
from labkit.grade.kernel.stock import StockKernel
from labkit.grade.sandbox.confine import CHOICE
from labkit.student.calls import wire
from labkit.student.calls.calling import read_reply
from labkit.student.judging.observation import Raised
from labkit.student.model import course, project
from labkit.student.model.course import Environment

pytestmark = needs("Linux")
NAMES = ("01_spread", "02_levels", "ada", "bob", "cleo")  # the solutions and the small class


def file_of(name: str) -> Path:
    here = project.current()
    return here.solutions / f"{name}.ipynb" if name[0] == "0" else here.examples / name / "01_spread.ipynb"


@pytest.mark.parametrize("name", every(5, NAMES, start=1, why="the same with another notebook"))
def test_a_notebook_has_the_same_outputs_as_in_a_stock_kernel(name, start_kernel):
    assert_shown_alike(file_of(name), start_kernel)


CELLS = [
    "print('a'); 1 + 1", "import sys; print('out'); print('err', file=sys.stderr); print('out again')",
    "import ctypes, os; libc = ctypes.CDLL(None); libc.puts(b'from C'); _ = libc.fflush(None)",
    "from IPython.display import HTML, clear_output, display\ndisplay(HTML('<b>x</b>')); clear_output(); display('y')",
    "import matplotlib.pyplot as plt; plt.plot([1, 2]); plt.show(); print('after')", "plt.plot([1, 2])",
    "figure, ax = plt.subplots(); ax.set_title('t'); figure",
    "%matplotlib inline\nplt.plot([1]); print(plt.get_backend())", "1 / 0",
    "def f():\n    return undefined\ntry:\n    f()\nexcept NameError as error:\n    raise ValueError('x') from error",
    "if:", "raise SystemExit('bye')", "input()", "import getpass; getpass.getpass()",
    "import warnings; warnings.warn('careful')",
    "import asyncio\nasync def later():\n    await asyncio.sleep(0.01)\n    return 'later'\nawait later()",
    "asyncio.get_running_loop().is_running()",
    "import threading\nthread = threading.Thread(target=print, args=('in a thread',)); thread.start(); thread.join(9)",
    "%who_ls", "%%capture kept\nprint('kept')", "kept.stdout", "%nosuchmagic", "%run nothing.py", "_",
    "names = %who_ls\nlen(names) > 9", "if True:\n    kinds = %who_ls int\nkinds", "/print 1", "a = b = \\\n%who_ls", ", print a b", "x = !",
    "print(_dh, [str(each) for each in _dh] == [os.getcwd()])", "print(__name__)",
    "class Odd:\n    def __repr__(self): raise RuntimeError('no repr')\nOdd()", "float('nan')", "'é' * 3",
    "from math import *; pi",
    "import json; sorted(each for each in os.environ if not each.startswith(('JPY', 'PWD', 'PYDEVD')))",
    "sys.flags.isolated, sys.stdout.encoding, sys.stdout.isatty()",
    "import resource; [resource.getrlimit(n) for n in (resource.RLIMIT_AS, resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE)]",
    "import numpy as np; np.__config__ and np.arange(3)", "raise KeyboardInterrupt", "%xmode minimal\n1 / 0", "x = 5; x;",
    "x", "get_ipython().execution_count", "import tiny_labs; from labkit.student.notebook import check; check('spread')", "os._exit(3)",
]  # fmt: skip


def test_odd_cells_show_what_they_show_in_a_stock_kernel(start_kernel):
    """On a busy machine a stock kernel may show output from C code too late and outside its cell; then the cell is run again."""
    forked, stock = start_kernel(), start_kernel(StockKernel)
    shown = [(source, seen(forked, source)) for source in CELLS]
    assert [source for source, ours in shown if all(seen(stock, source) != ours for _ in range(5))] == []


def test_output_written_past_python_is_in_order(start_kernel):
    past = "_ = os.write(2, b'4\\n'), os.write(1, b'5' * 200_000)"
    source = f"import os\nprint('one'); os.write(1, b'two\\n'); print('three'); {past}"
    streams = seen(start_kernel(), source)
    assert streams == [["stream", "stdout", "one\ntwo\nthree\n" + "5" * 200_000], ["stream", "stderr", "4\n"]]


CALLS = """
made = []
def answer(n):
    made.append(n)
    if n == 2: raise ValueError(n)
    while n == 5: pass
    return list(made)
"""


@pytest.mark.parametrize("planned", [True, False])
def test_calls_that_are_sent_together_get_the_same_replies_as_one_at_a_time(planned, start_kernel):
    """Each has its own error and its own time limit, and sees what the calls before it changed."""
    kernel = start_kernel()
    said(kernel, CALLS)
    calls = {n: wire.dumps(["answer", "function", [n], False]) for n in (1, 2, 3, 5, 6)}
    kernel.plan(calls.values() if planned else ())
    values = [read_reply(kernel.answer(calls[n], 60.0)) for n in (1, 2, 3)]
    assert values == [[1], Raised("ValueError", "2", values[1].kinds), [1, 2, 3]]
    assert kernel.sent.keys() == ({calls[5], calls[6]} if planned else set())
    with pytest.raises(Empty):
        kernel.answer(calls[5], 0.5)


SPOILED = """
import builtins, os, random, sys, warnings
import labkit.student.judging.compare, labkit.student.notebook.examine, matplotlib, numpy as np
np.spoiled = builtins.spoiled = labkit.student.judging.compare.spoiled = sys.spoiled = True
np.allclose = labkit.student.notebook.examine.examine = lambda *_, **__: True
matplotlib.rcParams['lines.linewidth'] = 77
np.random.seed(1); random.seed(1); np.seterr(all='raise'); np.set_printoptions(precision=1)
warnings.simplefilter('error'); os.environ['SPOILED'] = '1'; sys.path.append('spoiled')
kept = [open('kept', 'w') for _ in range(5)]
sys.modules['spoiled'] = sys
"""
STATE = """
import builtins, os, random, sys, warnings
import labkit.student.judging.compare, labkit.student.notebook.examine, matplotlib, numpy as np
print([hasattr(each, 'spoiled') for each in (np, builtins, labkit.student.judging.compare, sys)], np.allclose, labkit.student.notebook.examine.examine,
      matplotlib.rcParams['lines.linewidth'], np.geterr(), np.get_printoptions()['precision'], warnings.filters,
      sorted(os.environ), sys.path, len(os.listdir('/proc/self/fd')), 'spoiled' in sys.modules, os.listdir())
"""


def test_nothing_passes_from_one_kernel_to_the_next(start_kernel):
    before = seen(first := start_kernel(), STATE)
    assert not said(second := start_kernel(), SPOILED)
    assert first.server is second.server
    for _ in range(2):
        assert seen(start_kernel(), STATE) == before


def test_kernels_read_in_two_threads_do_not_mix_their_outputs(start_kernel):
    """Large outputs of both kernels arrive at the same time, and a shared buffer would mix them."""
    kernels = {letter: start_kernel() for letter in "ab"}

    def differing(letter: str) -> int:
        lines = (said(kernels[letter], f"print('{letter}' * 100_000)") for _ in range(50))
        return sum(line != letter * 100_000 + "\n" for line in lines)

    with ThreadPoolExecutor() as threads:
        assert [*threads.map(differing, kernels)] == [0, 0]


def test_only_generators_of_a_kernels_own_draw_anew(start_kernel):
    """The global generators start alike, so that a score does not depend on the run; secrets must still differ."""
    draw = "import random, secrets, numpy as np; print(random.random(), np.random.rand(), np.random.default_rng().random(), secrets.token_hex())"
    one, other = (said(start_kernel(), draw).split() for _ in range(2))
    assert [ours == theirs for ours, theirs in zip(one, other, strict=True)] == [True, True, False, False]


@pytest.mark.parametrize("kind", [ForkedKernel, StockKernel])
def test_a_kernel_can_import_and_read_its_own_labs_only(kind, start_kernel):
    kernel = start_kernel(kind, environment=course.current().environment_of("01_spread"))
    assert said(kernel, "import tiny_labs.spread.exercises; print(tiny_labs.COURSE.names)") == "('01_spread',)\n"
    assert said(kernel, "import tiny_labs.levels") == "ModuleNotFoundError"
    other = project.current().source / "tiny_labs/levels/__init__.py"
    assert said(kernel, f"open({str(other)!r})") in ("FileNotFoundError", "PermissionError")


def test_reference_outputs_are_reproduced(start_kernel):
    """This guards against a kernel that silently shows nothing."""
    kernel = start_kernel(environment=course.current().environment_of("02_levels"))
    cells = nbformat.read(file_of("02_levels"), as_version=4).cells
    shown = [cell for cell in cells if cell.cell_type == "code" and seen(kernel, cell.source)]
    assert len(shown) == sum(bool(cell.get("outputs")) for cell in cells) > 5


def test_the_labs_warm_modules_are_already_loaded(start_kernel):
    loaded = "import sys; print('matplotlib.pyplot' in sys.modules, 'wave' in sys.modules)"
    assert said(start_kernel(), loaded) == "True False\n"
    assert said(start_kernel(environment=Environment(warm=("wave",))), loaded).endswith("True\n")


@pytest.mark.parametrize("lab", ["01_spread", "02_levels"])
def test_all_that_a_setup_cell_imports_is_already_loaded(lab, start_kernel):
    kernel = start_kernel(environment=(environment := course.current().environment_of(lab)))
    setup = dict(servers._first_cells(project.current(), environment))[lab]
    source = f"import sys\nbefore = set(sys.modules)\n{setup}\nprint(set(sys.modules) - before)"
    assert said(kernel, source) == "set()\n"


IMPORTS = ["import json, tiny_labs.levels.mistakes as m", "from tiny_labs.levels import mistakes, exercises"]
IMPORTS += [
    "from tiny_labs.levels.mistakes import f",
    "try:\n    import tiny_labs.levels.mistakes\nexcept ImportError: pass",
]


@pytest.mark.parametrize("cell", IMPORTS)
def test_every_form_of_import_of_a_courses_module_is_found(cell):
    assert "tiny_labs.levels.mistakes" in servers._course_modules(project.current(), [cell])


LATER = ["import wave", "x = 1", "print(1)", "dumps(x)", "%time 1", "from . import x", "(dumps)(1)(1)", "f()"]
LATER += ["import json; x", "from __future__ import division"]


@pytest.mark.parametrize("cell", LATER)
def test_lines_that_may_differ_between_kernels_are_left_to_each_of_them(cell):
    common = "import json\nfrom tiny_labs import f\nfrom labkit.student.calls.wire import dumps\ndumps('a')\n"
    assert lines_ahead(common) > 4 and lines_ahead(common + cell + "\nimport json") == (0 if "%" in cell else 4)


def test_a_courses_function_in_a_setup_cell_has_its_effect_in_the_kernels_of_its_lab_only(start_kernel, monkeypatch):
    """It would otherwise run once in the fork server, from which the kernels of all labs are forked."""
    setup = "from tiny_labs import open_course\nopen_course('one_more');"
    monkeypatch.setattr(servers, "_first_cells", lambda *_: [("01_spread", setup)])
    fresh = Environment(labs=("01_spread", "02_levels"), warm=("sndhdr",))  # so that another server is started
    kernels = [start_kernel(environment=fresh, lab=lab) for lab in ("01_spread", "02_levels")]
    said(kernels[0], setup)
    opened = "from labkit.student.model.course import _open\nprint(*_open)"
    assert [said(kernel, opened) for kernel in kernels] == ["tiny_labs one_more\n", "tiny_labs\n"]


COLOURS = "plt.cycler(color=list(plt.cm.viridis([i / 10 for i in range(len(plt.rcParams['axes.prop_cycle']))])))"
OWN = [
    f"plt.rcParams['axes.prop_cycle'] = {COLOURS}",
    "figure = plt.figure\nplt.figure = lambda **_: figure(figsize=(8, 4))",
]


@pytest.mark.parametrize("own", OWN, ids=["colours as arrays", "their own plt.figure"])
def test_figures_from_before_the_fork_fit_what_students_change(own, start_kernel, monkeypatch):
    monkeypatch.setattr(servers, "_first_cells", lambda *_: [("02_levels", "import matplotlib.pyplot as plt")])
    kernel = start_kernel(environment=Environment(labs=("02_levels",), warm=("matplotlib.pyplot",)), lab="02_levels")
    said(kernel, "import matplotlib.pyplot as plt")
    said(kernel, f"{own}\ndef draw(ax): ax.plot([1, 2])")
    drawn = read_reply(kernel.answer(wire.dumps(["draw", "figure", [], False]), 60.0))
    assert not isinstance(drawn, Raised), drawn


@pytest.mark.parametrize("length", [0, 2**17], ids=["run before the fork", "too long for a command line"])
def test_a_setup_cell_defines_its_names_in_order(length, start_kernel, monkeypatch):
    names = ["json", "io", "ast", "re", "os"]
    setup = "\n".join(f"import {name}" for name in names) + "#" * length
    monkeypatch.setattr(servers, "_first_cells", lambda *_: [("01_spread", setup)])
    kernel = start_kernel(
        environment=Environment(labs=("01_spread",), warm=("chunk", "wave")[: 1 + (length > 0)]), lab="01_spread"
    )
    said(kernel, setup)
    assert said(kernel, f"print([name for name in globals() if name in {names}])") == f"{names}\n"


NAMES = r"""
import ctypes, re
found = set()
for line in open("/proc/self/maps"):
    (begin, end), rights = (int(place, 16) for place in line.split()[0].split("-")), line.split()[1]
    if rights.startswith("rw"):
        found |= set(re.findall(rb"workdir-[0-9a-f]{12}", ctypes.string_at(begin, end - begin)))
print(*sorted(name.decode() for name in found))
"""
IDS = """
import gc, socket
kept = {1: socket.socketpair()[0]}

def known(each):
    return isinstance(each, dict) and any(type(key) is int and isinstance(kept, socket.socket) for key, kept in [*each.items()])

print([each is kept for each in gc.get_objects() if known(each)], [each for each in gc.get_objects() if type(each).__name__ == "Server"])
"""


@pytest.fixture
def attacker(monkeypatch, start_kernel):
    """A kernel whose server has forked others before: some are still in use, and others have ended."""
    monkeypatch.setenv(CHOICE, "landlock")  # forks are the same in bubblewrap, but cannot list their memory there
    others = [start_kernel() for _ in range(6)]
    for each in others[::2]:
        said(each, "1")
        each.stop()
    return start_kernel()


@needs("landlock")
def test_the_memory_of_a_fork_has_no_folder_name_but_its_own(attacker):
    assert said(attacker, NAMES).split() == [attacker.folder.name]


@needs("bubblewrap")
def test_bubblewrap_has_no_proc(monkeypatch, start_kernel):
    monkeypatch.setenv(CHOICE, "bubblewrap")
    seen = "import os; print([name for name in ('cpuinfo', 'self', os.getpid(), os.getppid()) if os.path.lexists(f'/proc/{name}')])"
    assert said(start_kernel(), seen) == "['cpuinfo']\n"


@needs("landlock")
def test_no_object_of_a_fork_belongs_to_the_server(attacker):
    """The server's record of its kernels has their process ids. The search finds a record like it that the kernel made itself."""
    assert said(attacker, IDS) == "[True] []\n"
