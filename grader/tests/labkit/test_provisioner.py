"""The forked kernel in other tools: it shows the same as the stock kernel, and is isolated."""

import asyncio
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import KernelManager
from longer import every
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from needs import ABSENT, WALLS, needs
from processes import PATIENCE, first_line, gone, processes_in, started
from test_forked_kernel import NAMES, SPOILED, STATE, file_of
from tool_kernels import NAME, cells, client_for, shown

from labkit.jupyter import provisioner
from labkit.kernel import probes
from labkit.kernel.meter import KernelDied
from labkit.model import project
from labkit.model.budgets import Budgets
from labkit.model.course import Environment
from labkit.notebook.figures import NO_PICTURES
from labkit.sandbox.confine import CHOICE

SPEC = Path(provisioner.__file__).with_name("kernel.json")
WARM = ["ipywidgets", "matplotlib.pyplot", "numpy"]
pytestmark = needs("isolation")


def said(client, source: str) -> str:
    heard = []
    client.execute_interactive(source, timeout=20, output_hook=lambda message: heard.append(message["content"]))
    return "".join(content.get("text") or content.get("ename", "") for content in heard)


@pytest.fixture
def start():
    started = []

    def start(name=NAME):
        manager = KernelManager(kernel_name=name)
        manager.start_kernel()
        started.append((manager, manager.client()))
        started[-1][1].start_channels()
        started[-1][1].wait_for_ready(timeout=30)
        return started[-1]

    yield start
    for manager, client in started:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


@pytest.fixture
def with_the_locked_module(monkeypatch, tmp_path):
    """Let kernels started in the usual way import the modules that this course's labs use."""
    kernelspec(tmp_path, NAME, ["ruler"], WARM)
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(project.current().source))  # for the stock kernel


def kernelspec(folder: Path, name: str, packages: list, warm: list) -> None:
    spec = json.loads(SPEC.read_text("utf-8"))
    spec["metadata"]["kernel_provisioner"]["config"] = {"packages": packages, "warm": warm}
    (folder / "kernels" / name).mkdir(parents=True)
    (folder / "kernels" / name / "kernel.json").write_text(json.dumps(spec))


@pytest.mark.long("runs whole notebooks; other tests compare forks on them")
@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_shows_what_it_shows_in_the_stock_kernel(name, monkeypatch, with_the_locked_module):
    monkeypatch.setenv(NO_PICTURES, "1")
    ours, stock = (shown(nbformat.read(file_of(name), 4), kernel) for kernel in (NAME, "python3"))
    assert ours == stock


ODD = [
    "print('a'); 1 + 1", "import sys; print('out'); print('err', file=sys.stderr)", "1 / 0", "if:", "input()", "float('nan')",
    "import matplotlib.pyplot as plt; plt.plot([1, 2]); plt.show()",
    "figure, ax = plt.subplots(); ax.set_title('t'); figure", "%matplotlib inline\nplt.plot([1]); print(plt.get_backend())",
    "from IPython.display import HTML, clear_output, display\ndisplay(HTML('<b>x</b>')); clear_output(); display('y')",
    "raise SystemExit('bye')", "raise KeyboardInterrupt", "import warnings; warnings.warn('careful', stacklevel=2)",
    "import asyncio\nasync def later():\n    await asyncio.sleep(0.01)\n    return 'later'\nawait later()", "%who_ls", "_", "Out",
    "import threading\nthread = threading.Thread(target=print, args=('in a thread',)); thread.start(); thread.join(9)",
    "%%capture kept\nprint('kept')", "kept.stdout", "%nosuchmagic", "%run nothing.py", "print(__name__)", "%xmode minimal\n1 / 0",
    "class Odd:\n    def __repr__(self): raise RuntimeError('no repr')\nOdd()", "get_ipython().execution_count, In[:2]",
    "import ipywidgets; ipywidgets.IntSlider(3)", "sys.stdout.encoding, sys.stdout.isatty()", "%history", "print?",
]  # fmt: skip


@pytest.mark.parametrize(
    "odd",
    [
        [source for source in ODD if "plt" not in source and "widgets" not in source],
        pytest.param(ODD, marks=pytest.mark.long("also draws figures, as tests of forks do")),
    ],
    ids=["without figures", "all"],
)
def test_odd_cells_show_what_they_show_in_the_stock_kernel(odd):
    ours, stock = (shown(cells(*odd), kernel) for kernel in (NAME, "python3"))
    assert [each for each in zip(odd, ours, stock) if each[1] != each[2]] == []


def test_pictures_are_drawn_unless_they_are_not_wanted(monkeypatch):
    source = "import matplotlib.pyplot as plt\nfrom labkit.notebook.figures import show\nfigure, ax = plt.subplots()\nshow(ax, 'x')"
    for wanted in (True, False):
        monkeypatch.setenv(NO_PICTURES, "" if wanted else "1")
        outputs = client_for(cells(source, "plt.plot([1])")).execute()
        pictures = [
            'src="data:image/' in str(output.get("data", "")) or "image/png" in output.get("data", {})
            for cell in outputs.cells
            for output in cell.outputs
        ]
        assert pictures == [wanted, False, wanted]


@pytest.mark.long("starts the same kernel with nbval, in another process")
def test_stock_nbval_runs_the_solutions_in_it(run_command):
    command = ["-m", "pytest", "-q", "--nbval", f"--nbval-kernel-name={NAME}", "-p", "no:cacheprovider"]
    done = run_command(sys.executable, *command, file_of("01_spread"), cwd=project.current().root)
    assert done.returncode == 0 and " passed" in done.stdout, done.stdout


@pytest.mark.parametrize("source", every(2, ["while True: pass", "import time; time.sleep(60)"]))
def test_a_cell_may_be_interrupted_when_its_time_is_up(source):
    notebook = client_for(
        cells(source, "print('still here')"), timeout=1, interrupt_on_timeout=True
    ).execute()  # busy or not, it runs by then
    assert notebook.cells[0].outputs[0].ename == "KeyboardInterrupt"
    assert notebook.cells[1].outputs[0].text == "still here\n"


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("while True: pass", CellTimeoutError),
        ("import os; os._exit(1)", DeadKernelError),
        pytest.param(
            "import ctypes; ctypes.string_at(0)", DeadKernelError, marks=pytest.mark.long("dies in another way")
        ),
        ("for n in range(99): open(str(n), 'w')\nimport time; time.sleep(9)", DeadKernelError),
    ],
)
def test_a_notebook_that_is_stopped_leaves_nothing(source, error, monkeypatch):
    monkeypatch.setattr(provisioner, "Budgets", lambda: Budgets(files=50))
    client = client_for(cells(source), timeout=1, shutdown_kernel="immediate")
    with pytest.raises(error):
        client.execute()
    assert list(server().folder.glob("workdir-*")) == []


def server() -> object:
    """The fork server of this process."""
    config = KernelSpecManager().get_kernel_spec(NAME).metadata["kernel_provisioner"]["config"]
    environment = Environment(tuple(config["packages"]), tuple(config["warm"]), project.current().course.names)
    return provisioner.server_for(project.current(), environment)


def test_a_restarted_kernel_answers_the_same_client_and_knows_nothing(start):
    manager, client = start()
    said(client, "x = 1; open('kept', 'w')")
    for now in (True, False):
        manager.restart_kernel(now=now)
        client.wait_for_ready(timeout=30)
        assert said(client, "import os; print('x' in globals(), os.path.exists('kept'))") == "False False\n"


def test_the_kernelspec_says_what_a_kernel_has(start, monkeypatch, tmp_path):
    for name, packages, warm in (("full", ["ruler"], ["wave", "not_installed.here"]), ("bare", [], [])):
        kernelspec(tmp_path, name, packages, warm)
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    source = "import sys; print('wave' in sys.modules)\nimport ruler"
    assert [said(start(name)[1], source) for name in ("full", "bare")] == ["True\n", "False\nModuleNotFoundError"]


@pytest.mark.parametrize(
    "layer", [*every(2, WALLS, start=len(WALLS) - 1, why="test_attacks.py tests this layer too"), *ABSENT]
)
def test_kernels_are_isolated(layer, start, monkeypatch):
    monkeypatch.setenv(CHOICE, layer)
    manager, client = start()
    attempt = "try: exec({!r}, {{}}); print('it works')\nexcept BaseException as error: print(type(error).__name__)"
    for name, source in {**probes.attempts(project.current()), "fork": "import os; os.fork()"}.items():
        refused = "PermissionError", "FileNotFoundError", "IndexError"  # no other process to be seen: an empty list
        assert said(client, attempt.format(source)).strip() in refused, name
    private = f"open({manager.connection_file!r}).read(), open({str(Path.home())!r} + '/x', 'w')"
    assert said(client, attempt.format(private)).strip() in refused
    monkeypatch.setenv("SECRET_OF_THE_TOOL", "42")
    manager.restart_kernel(now=True)
    client.wait_for_ready(timeout=30)
    assert "SECRET" not in said(client, "import os; print(sorted(os.environ), os.getcwd() == os.environ['HOME'])")


def test_nothing_passes_from_one_kernel_to_the_next(start):
    state = STATE.replace("len(os.listdir('/proc/self/fd'))", "os.path.exists('kept')")  # sockets come and go
    clients = [start()[1] for _ in range(2)]
    before = said(clients[0], state)
    assert not said(clients[1], SPOILED)
    assert said(clients[0], state) == before == said(start()[1], state)
    draw = "import random, numpy as np; print(random.random(), np.random.rand())"
    assert len({number for client in clients for number in said(client, draw).split()}) == 4


def test_many_at_once_share_one_server():
    def sources(number: int) -> nbformat.NotebookNode:
        return cells(f"x = {number}; open('mine', 'w').write('{number}')", "print(x, open('mine').read())")

    async def together() -> list:
        return await asyncio.gather(*(client_for(sources(number)).async_execute() for number in range(4)))

    with ThreadPoolExecutor(4) as pool:
        ran = [*pool.map(lambda number: client_for(sources(number)).execute(), range(4)), *asyncio.run(together())]
    assert [notebook.cells[1].outputs[0].text for notebook in ran] == [f"{n} {n}\n" for n in range(4)] * 2
    assert len(processes_in(server().folder)) <= 4  # a shell, bubblewrap and its child, and the server
    assert list(server().folder.glob("workdir-*")) == []


TOOL = """
import os, sys, time
from jupyter_client.manager import start_new_kernel
manager, client = start_new_kernel(kernel_name="labkit")
client.execute("while True: pass")
print(manager.provisioner.server.folder, flush=True)
{then}
"""


@pytest.mark.parametrize("then", every(3, ["", "1 / 0", "time.sleep(60)"], 2, "another end of the tool"))
def test_no_kernel_outlives_its_tool(then, tmp_path):
    program, environment = TOOL.format(then=then), {**os.environ, "JUPYTER_RUNTIME_DIR": str(tmp_path)}
    quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with started(sys.executable, "-c", program, env=environment, **quiet) as tool:
        folder = Path(first_line(tool))
        assert processes_in(folder)
        if "sleep" in then:
            tool.kill()
        tool.wait(PATIENCE)
        assert gone(folder) and not folder.exists()


def test_arguments_reach_the_kernel_and_wrong_ones_are_reported(start, monkeypatch):
    ran = client_for(cells("1 / 0"), extra_arguments=["--InteractiveShell.xmode=Minimal"]).execute()
    assert len(ran.cells[0].outputs[0].traceback) == 1
    with pytest.raises(KernelDied, match="--no-such-argument"):
        client_for(cells("1"), extra_arguments=["--no-such-argument=1"]).execute()


def test_without_isolation_it_does_not_start_and_says_why(monkeypatch):
    monkeypatch.delenv(CHOICE, raising=False)
    monkeypatch.setattr(provisioner, "best_layer", lambda: "limits")
    with pytest.raises(RuntimeError, match="needs Linux with Landlock"):
        KernelManager(kernel_name=NAME).start_kernel()
