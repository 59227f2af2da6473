"""Measure what labkit's processes spend processor time on while it grades a class, and what one kernel does. Linux only."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from unittest.mock import patch

import layouts
import psutil
from classroom import LAB, ROOT
from measure import LONGEST
from tools import contenders

from labkit.grade.judge.judge import judge_file
from labkit.grade.kernel.forked import ForkedKernel
from labkit.student.calls import wire
from labkit.student.model.project import use

LOOK_EVERY = 0.05  # seconds
SERVER = "fork_server.py"


def where(place: Path, size: int, jobs: int, lab: str = LAB) -> dict:
    """Measure processor seconds by purpose. Errors: RuntimeError if labkit fails."""
    layouts.as_handed_in(place, size, lab)
    with open(place / "log", "w") as log:
        grader = psutil.Popen(list(map(str, contenders(jobs, lab)[0].command)), cwd=place, stdout=log, stderr=log)
    seen: dict[int, tuple[str, float, float]] = {}
    until = time.monotonic() + LONGEST
    while grader.poll() is None:
        if time.monotonic() > until:
            grader.kill()
        look(grader, seen)
        time.sleep(LOOK_EVERY)
    if grader.returncode != 0:
        raise RuntimeError((place / "log").read_text("utf-8")[-2000:])
    found = dict.fromkeys(("command", "workers", "server", "kernels"), 0.0)
    for kind, own, of_children in seen.values():
        found[kind] += own
        if kind == "server":
            found["kernels"] += of_children
    print(f"where, class of {size} in lab {lab}: {found}", flush=True)
    return {
        "lab": lab,
        "size": size,
        "jobs": jobs,
        "seconds": {kind: round(seconds, 2) for kind, seconds in found.items()},
    }


def look(grader: psutil.Process, seen: dict[int, tuple[str, float, float]]) -> None:
    """Record each process's processor time so far. If a process has ended, its last record stays."""
    command_of: dict[int, str] = {}
    for process in [grader, *grader.children(recursive=True)]:
        try:
            with process.oneshot():
                command_of[process.pid] = " ".join(process.cmdline())
                if kind := kind_of(process, grader, command_of):
                    used = process.cpu_times()
                    own, of_children = used.user + used.system, used.children_user + used.children_system
                    seen[process.pid] = kind, own, of_children
        except psutil.NoSuchProcess:
            pass


def kind_of(process: psutil.Process, grader: psutil.Process, command_of: dict[int, str]) -> str | None:
    """Classify a process. Returns None for shells, bubblewrap, and kernels, whose time is read from their server."""
    own, parents = command_of[process.pid], command_of.get(process.ppid())
    if process.pid == grader.pid:
        return "command"
    if own == command_of[grader.pid]:
        return "workers"
    if SERVER in own and "python" in process.name():
        return None if parents == own else "server"
    return None


def in_kernels(place: Path, size: int, lab: str) -> dict:
    """Measure what kernels do: the share of processor time of each exercise's calls, and of the rest, from start to cells."""
    layouts.as_handed_in(place, size, lab)
    spent: Counter[str] = Counter()
    answer, stop = ForkedKernel.answer, ForkedKernel.stop

    def timed(kernel: ForkedKernel, request: bytes, seconds: float) -> bytes | None:
        before = used(kernel)
        reply = answer(kernel, request, seconds)
        spent[wire.loads(request)[0]] += used(kernel) - before
        return reply

    def stopped(kernel: ForkedKernel) -> None:
        spent["all"] += used(kernel)
        stop(kernel)

    with patch.multiple(ForkedKernel, answer=timed, stop=stopped, plan=lambda *_: None):
        for path in sorted(place.glob("class/*/*.ipynb")):
            judge_file(use(ROOT), path, path.parent.name, 1)
    total = spent.pop("all")
    spent["start and cells"] = total - spent.total()
    shares = {name: round(each / total, 2) for name, each in spent.most_common()}
    print(f"kernels, lab {lab}: {shares}", flush=True)
    return {"lab": lab, "size": size, "shares": shares}


def used(kernel: ForkedKernel) -> float:
    """Seconds for which the kernel's process has run. Returns 0 once it has ended."""
    try:
        return int(Path(f"/proc/{kernel.meter.clock.process}/schedstat").read_text().split()[0]) / 1e9
    except OSError:
        return 0.0
