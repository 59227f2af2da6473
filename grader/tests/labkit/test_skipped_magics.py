"""Shell commands and `%cd` are skipped with a one-line note, and the answer below them keeps its points."""

from dataclasses import replace

import pytest
from handouts import QUICK
from kernel_outputs import said
from longer import every

from labkit.judge.judge import judge_file
from labkit.kernel.forked import ForkedKernel
from labkit.kernel.stock import StockKernel
from labkit.model import project

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


@pytest.mark.parametrize("stock", [False, True])
def test_an_answer_below_habits_from_elsewhere_keeps_its_points(stock, handout, tmp_path):
    copy = handout(LAB, solved=True)
    habits = "!pip install numpy\n%cd /content/drive\n!ls -l > x; rm x\n%matplotlib inline\n"
    for name in ("spread", "midrange"):
        copy.write(name, habits + "".join(copy.cell(name)["source"]))
    copy.insert("%%bash\nls", after="setup")
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
