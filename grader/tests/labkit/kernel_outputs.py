"""A kernel's outputs for a cell, for tests that inspect or compare them."""

import re
from pathlib import Path
from queue import Empty

from processes import PATIENCE

from labkit.grade.intake.notebooks import notebook_in
from labkit.grade.judge.assemble import Assembled, assemble
from labkit.grade.judge.run import Run
from labkit.grade.kernel.meter import KernelDied
from labkit.grade.kernel.nbval_bridge import execute
from labkit.grade.kernel.stock import StockKernel
from labkit.student.model import course, project
from labkit.student.model.budgets import Budgets

SECONDS = 20.0
DIFFERS = [  # text that differs between any two kernels
    (r"labkit-\w+/workdir(-[0-9a-f]+)?", "HOME"),
    (r"ipykernel_\d+/\d+", "CELL"),
    (r"0x[0-9a-f]{6,}", "0x"),
]


def said(kernel, source: str) -> str:
    return "".join(output.get("text") or output.get("ename", "") for output in execute(kernel, source, PATIENCE))


def begin(kernel, source: str, before: str = "") -> str:
    """Start a cell. Returns its message once the cell runs, because an interrupt or a full disk may come too early for a kernel."""
    message = kernel.execute_cell_input(f"{before}\nprint('begun', flush=True)\n{source}", allow_stdin=False)
    while kernel.get_message("iopub", timeout=PATIENCE)["msg_type"] != "stream":
        pass
    return message


def run_of(*cells: str, budgets: Budgets = Budgets()) -> Run:
    """A run whose answers need just these cells."""
    run = Run(project.current(), Assembled(course.current().labs["01_spread"], ()), budgets)
    run.cells = [(f"cell-{number}", source) for number, source in enumerate(cells)]
    return run


def seen(kernel, source: str) -> list:
    """What a front end shows for a cell, without pictures, or the name of the error that ends it."""
    shown = []
    try:
        message = kernel.execute_cell_input(source, allow_stdin=False)
        kernel.await_reply(message, timeout=SECONDS)
        while True:
            received = kernel.get_message("iopub", timeout=SECONDS)
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


def assert_shown_alike(submission: Path, start_kernel) -> None:
    """Assert that a fork and a stock kernel show the same for each cell, up to one that ends both kernels."""
    assembled = assemble(project.current(), notebook_in(project.current(), submission))
    given = {"environment": course.current().environment_of(assembled.lab.name)}
    kernels = [start_kernel(**given, lab=assembled.lab.name), start_kernel(StockKernel, **given)]
    for cell in assembled.cells:
        if cell.cell_type == "code":
            by_fork, by_stock = (seen(kernel, cell.source) for kernel in kernels)
            assert by_fork == by_stock, cell.id
            if by_fork in (["Empty"], ["KernelDied"]):
                return
