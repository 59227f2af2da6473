"""`exit` in a cell of the student's own ends that cell as `sys.exit` does, and costs no answer its points."""

import pytest
from kernel_outputs import said
from longer import every

from labkit.grade.kernel.forked import ForkedKernel
from labkit.grade.kernel.stock import StockKernel

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


@pytest.mark.parametrize("kind", every(2, [ForkedKernel, StockKernel], why="the same in a stock kernel"))
def test_exit_ends_its_cell_with_system_exit(kind, start_kernel):
    kernel = start_kernel(kind)
    for source in EXITS:
        for _ in range(2):
            assert "SystemExit" in said(kernel, source), source
    assert said(kernel, "import time; time.sleep(0.2); print('alive')") == "alive\n"


@pytest.mark.parametrize("source", every(3, [*EXITS, *(LOOP + each for each in STOPS)], why="another way to exit"))
def test_the_same_points_every_time(source, handout, judged):
    copy = handout("01_spread", solved=True).write("midrange", SLOW).insert(source, after="setup")
    rows = [judged(copy).stored() for _ in range(5)]
    assert all(row == rows[0] for row in rows)
    assert (rows[0]["status"], judged(copy).score) == ("graded", 6)


def test_exit_in_an_answer_is_an_error_of_that_answer(handout, judged):
    copy = handout("01_spread", solved=True).write("midrange", "def midrange(values):\n    exit()")
    result = judged(copy)
    assert (result.status, result.score) == ("graded", 4)
    assert any("SystemExit" in check.message() for check in result.of_exercise("midrange"))
