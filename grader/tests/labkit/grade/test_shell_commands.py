"""Shell commands and `%cd` are skipped with a one-line note, and `exit` ends only its own cell; neither costs an answer its points."""

from dataclasses import replace

import pytest
from handouts import QUICK
from kernel_outputs import said
from longer import every

from labkit.grade.judge.judge import judge_file
from labkit.grade.kernel.forked import ForkedKernel
from labkit.grade.kernel.stock import StockKernel
from labkit.student.model import project

LAB = "01_spread"
KINDS = pytest.mark.parametrize("kind", every(2, [ForkedKernel, StockKernel], why="the same in a stock kernel"))
LINES = ("!pip install x", "%pip install x", "%conda install x", "!ls", "%ls", "%sx ls", "!!ls", "files = !ls", "%cd /content/drive",
         "%pushd /", "%rehashx", "%edit", "!git clone 'https://example.org'", "!{command}")  # fmt: skip
CELLS = ("cd /content", "%%bash\nls", "%%sh\nls", "%%script bash\nls", "%%system\nls", "%%python3\nprint(1)")
WORKING = {
    "%matplotlib inline": "",
    "%timeit -n 1 -r 1 1": "per loop",
    "%%time\nprint('ran')": "ran",
    "%%capture\n!ls": "",
    "%env LABKIT_HERE=1\nimport os; print(os.environ['LABKIT_HERE'])": "1",
    "%%writefile note.txt\nhello": "note.txt",
}


@KINDS
def test_a_command_is_skipped_in_one_line_and_the_rest_runs(kind, start_kernel):
    kernel = start_kernel(kind)
    said(kernel, "import os; here, command = os.getcwd(), 'ls'")
    for line in LINES:
        lines = said(kernel, f"{line}\nprint(os.getcwd() == here)").splitlines()
        assert len(lines) == 2 and lines[0].startswith("Skipped, because") and lines[1] == "True", line
    for cell in CELLS:
        assert said(kernel, cell).strip().count("\n") == 0 and said(kernel, cell).startswith("Skipped, because"), cell


@KINDS
def test_other_magics_work_as_before(kind, start_kernel):
    kernel = start_kernel(kind)
    for source, expected in WORKING.items():
        told = said(kernel, source)
        assert expected in told and "Error" not in told and "Skipped" not in told, source


WINDOWS = ("qt", "qt5", "tk", "osx", "gtk3", "wx", "widget", "ipympl", "notebook", "nbagg", "'qt'", "QtAgg")


@KINDS
def test_a_window_is_skipped_in_one_line_and_the_backend_stays(kind, start_kernel):
    kernel = start_kernel(kind)
    backend = said(kernel, "import matplotlib.pyplot as plt; print(plt.get_backend())")
    for line in (*(f"%matplotlib {each}" for each in WINDOWS), "%gui qt", "%gui tk", "%gui"):
        lines = said(kernel, f"{line}\nprint(plt.get_backend())").splitlines(keepends=True)
        assert lines[0].startswith("Skipped, because figures cannot") and lines[1:] == [backend], line
    assert "agg" in said(kernel, "%matplotlib agg\nprint(plt.get_backend())")
    assert "inline" in said(kernel, "%matplotlib inline\nprint(plt.get_backend())")
    assert "Available" in said(kernel, "%matplotlib --list")
    assert said(kernel, "%pylab qt\nprint(arange(3))").splitlines()[-1] == "[0 1 2]"


def test_pyplot_keeps_its_backend_where_a_cell_selects_windows(start_kernel):
    """A stock kernel imports pyplot only in a cell, so there the import or the call still fails."""
    kernel = start_kernel(environment=project.current().course.environment_of("02_levels"))
    backend = said(kernel, "import matplotlib, matplotlib.pyplot as plt; plt.figure(); print(plt.get_backend())")
    for line in ("matplotlib.use('TkAgg')", "plt.switch_backend('qtagg')", "matplotlib.use('Qt5Agg', force=True)"):
        assert said(kernel, f"{line}\nprint(1)").splitlines()[-1] == "1", line
        assert "Error" not in said(kernel, "figure, ax = plt.subplots(); ax.plot([1, 2]); plt.close(figure)")
    assert said(kernel, "plt.switch_backend('agg'); print(plt.get_backend())") == "agg\n" != backend


@pytest.mark.parametrize(
    "line",
    ["%matplotlib qt", "%matplotlib widget", "%gui tk", "%pylab osx", "import matplotlib; matplotlib.use('TkAgg')"],
)
def test_a_figure_below_a_window_keeps_its_points(line, handout, judged):
    copy = handout("02_levels", solved=True)
    copy.write("draw_levels", f"{line}\n" + "".join(copy.cell("draw_levels")["source"]))
    result = judged(copy)
    assert (result.status, result.score) == ("graded", 4)


@pytest.mark.parametrize("stock", [False, True])
def test_an_answer_below_habits_from_elsewhere_keeps_its_points(stock, handout, tmp_path):
    copy = handout(LAB, solved=True)
    habits = "!pip install numpy\n%cd /content/drive\n!ls -l > x; rm x\n%matplotlib inline\n"
    for name in ("spread", "midrange"):
        copy.write(name, habits + "".join(copy.cell(name)["source"]))
    for cell in (
        "%%bash\nls",
        "%%javascript\nalert(1)",
        "n = int(input())",
        "check = expected = t = 1\nimport pandas, google.colab",
    ):
        copy.insert(cell, after="setup")
    copy.notebook["metadata"] = {
        "widgets": {"application/vnd.jupyter.widget-state+json": {"a1": {}}}
    }  # without its state
    result = judge_file(
        project.current(), copy.save(tmp_path / f"{LAB}.ipynb"), "ada", 1, replace(QUICK, stock_kernel=stock)
    )
    assert (result.status, result.score) == ("graded", 6)


def test_a_missing_module_is_the_students_error(handout, judged):
    copy = handout(LAB, solved=True)
    copy.write("spread", "from google.colab import drive\n" + "".join(copy.cell("spread")["source"]))
    result = judged(copy)
    assert result.score == 3
    assert any("No module named 'google'" in check.message() for check in result.checks if check.exercise == "spread")


SHELL = "get_ipython()"
EXITS = ("exit", "quit", "exit()", "quit()", "exit(0)", "exit(1)", "quit(keep_kernel=True)", f"{SHELL}.ask_exit()",
         f"{SHELL}.exit_now = True", f"{SHELL}.exiter()", f"{SHELL}.kernel.do_shutdown(True)", "import sys; sys.exit()")  # fmt: skip
LOOP = "import asyncio, sys\nloop = asyncio.get_running_loop()\n"
STOPS = ("loop.stop()", "loop.call_later(0.1, loop.stop)", "loop.call_soon(sys.exit)", f"{SHELL}.kernel.io_loop.stop()",
         "for task in asyncio.all_tasks(): task.cancel()", "async def leave(): sys.exit()\nasyncio.create_task(leave())")  # fmt: skip
SLOW = """def midrange(values):
    import time
    time.sleep(0.03)
    return (min(values) + max(values)) / 2"""  # so that the calls after the cell last longer than 0.1 s


@KINDS
def test_exit_ends_its_cell_with_system_exit(kind, start_kernel):
    kernel = start_kernel(kind)
    for source in EXITS:
        for _ in range(2):
            assert "SystemExit" in said(kernel, source), source
    assert said(kernel, "import time; time.sleep(0.2); print('alive')") == "alive\n"


@pytest.mark.parametrize("source", every(3, [*EXITS, *(LOOP + each for each in STOPS)], why="another way to exit"))
def test_the_same_points_every_time(source, handout, judged):
    copy = handout(LAB, solved=True).write("midrange", SLOW).insert(source, after="setup")
    rows = [judged(copy).stored() for _ in range(5)]
    assert all(row == rows[0] for row in rows)
    assert (rows[0]["status"], judged(copy).score) == ("graded", 6)


def test_exit_in_an_answer_is_an_error_of_that_answer(handout, judged):
    copy = handout(LAB, solved=True).write("midrange", "def midrange(values):\n    exit()")
    result = judged(copy)
    assert (result.status, result.score) == ("graded", 4)
    assert any("SystemExit" in check.message() for check in result.of_exercise("midrange"))
