"""Measure what labkit spends processor time on by polling its processes while it grades a class. Linux only."""

from __future__ import annotations

import time
from pathlib import Path

import layouts
import psutil
from classroom import LAB
from measure import LONGEST
from tools import contenders

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
