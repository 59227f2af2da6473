"""Measure stock kernels: how long students wait for each check after the solution has run, and for the first cell of a lab."""

from __future__ import annotations

import json
import resource
import subprocess
import time
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from classroom import ROOT, read
from jupyter_client.manager import start_new_kernel
from measure import measure
from tools import contenders

from encoding_labs import COURSE
from labkit.student.model.course import Lab


def first(place: Path, lab: str, jobs: int) -> dict:
    """Measure labkit's first result, from a class of one, and a stock kernel until it has run the lab's first cell of code."""
    labkit = contenders(jobs, lab)[0]
    labkit.prepare(place, 1)
    cost = measure(labkit.command, place, place / "log")
    before, began = children(), time.perf_counter()
    manager, client = start_new_kernel(kernel_name="python3", stderr=subprocess.DEVNULL)
    try:
        cells = (cell for cell in read("labs", lab)["cells"] if cell["cell_type"] == "code")
        execute(client, "".join(next(cells)["source"]))
        wall = time.perf_counter() - began
    finally:
        client.stop_channels()
        manager.shutdown_kernel()
    found = {
        "jobs": jobs,
        "labkit": {"wall": cost.first, "cpu": cost.cpu},
        "kernel": {"wall": wall, "cpu": children() - before},
    }
    print(f"first: {found}", flush=True)
    return found


def children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def checks(repeats: int, labs: Iterable[Lab] = COURSE.labs.values()) -> dict:
    """Measure each exercise's check in the kernel, in milliseconds: the first check, and `repeats` later ones."""
    found = {}
    for lab in labs:
        for exercise, times in of_lab(lab, repeats + 1).items():
            found[f"{lab.name[:2]} {exercise}"] = {"first": times[0], "others": times[1:]}
        print(f"check, {lab.name}", flush=True)
    return {"repeats": repeats, "exercises": found}


def of_lab(lab: Lab, repeats: int) -> dict[str, list[float]]:
    """Measure the checks of a lab. Errors: RuntimeError if a cell of the solution fails, or a check does not pass."""
    manager, client = start_new_kernel(kernel_name="python3", stderr=subprocess.DEVNULL)
    try:
        notebook = json.loads((ROOT / "solutions" / f"{lab.name}.ipynb").read_text("utf-8"))
        for cell in notebook["cells"]:
            source = "".join(cell["source"])
            if cell["cell_type"] == "code" and not source.startswith("check("):
                execute(client, source)
        exercises = [each.name for each in lab.exercises if each.checked]
        return {name: [timed(client, name) for _ in range(repeats)] for name in exercises}
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def timed(client, exercise: str) -> float:
    reply, printed = execute(client, f'check("{exercise}")')
    if not printed.startswith("✔"):
        raise RuntimeError(f"the check of {exercise} printed: {printed}")
    started, ended = reply["metadata"]["started"], reply["header"]["date"]
    if isinstance(started, str):
        started = datetime.fromisoformat(started)
    return round((ended - started).total_seconds() * 1000, 3)


def execute(client, source: str) -> tuple[dict, str]:
    """Run a cell. Returns the kernel's reply and the printed text."""
    printed: list[str] = []

    def hear(message: dict) -> None:
        if message["msg_type"] == "stream":
            printed.append(message["content"]["text"])
        if message["msg_type"] == "display_data":
            printed.append(message["content"]["data"]["text/plain"])

    reply = client.execute_interactive(source, output_hook=hear, timeout=120)
    if reply["content"]["status"] != "ok":
        raise RuntimeError(f"{reply['content'].get('evalue')} in:\n{source}")
    return reply, "".join(printed)
