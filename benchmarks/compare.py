"""All tools on one class, side by side: every tool once a round, a different one first each time."""

from __future__ import annotations

import os
import shutil
from dataclasses import asdict
from pathlib import Path

from classroom import students
from measure import Cost, measure
from tools import Tool, contenders


def compare(place: Path, size: int, rounds: int, jobs: int, left_out: list[str]) -> dict:
    """Errors: RuntimeError when a tool did not judge all students, or not each as it should."""
    tools = [tool for tool in contenders(jobs) if tool.name not in left_out]
    for number, tool in enumerate(tools):
        (place / f"prepared-{number}").mkdir(parents=True)
        tool.prepare(place / f"prepared-{number}", size)
    found: list[dict] = []
    for turn in range(rounds):
        found.append({"load": round(os.getloadavg()[0], 2), "costs": {}})
        for step in range(len(tools)):
            number = (turn + step) % len(tools)
            cost = run(tools[number], place / f"prepared-{number}", place / "running", size)
            found[-1]["costs"][tools[number].name] = asdict(cost)
            print(f"class of {size}, round {turn + 1}: {tools[number].name}: {cost}", flush=True)
    return {"size": size, "jobs": jobs, "floors": [tool.name for tool in tools if tool.is_floor], "rounds": found}


def run(tool: Tool, prepared: Path, folder: Path, size: int) -> Cost:
    """What grading costs in a fresh copy of what was prepared. The copy is removed when all is right."""
    shutil.copytree(prepared, folder)
    cost = measure(tool.command, folder, folder / "log")
    judge(tool, folder, size)
    shutil.rmtree(folder)
    return cost


def judge(tool: Tool, folder: Path, size: int) -> None:
    expected, found = students(size), tool.found_right(folder)
    if found != expected:
        wrong = sorted(name for name in expected | found if expected.get(name) != found.get(name))
        wrote = (folder / "log").read_text("utf-8", "replace")[-2000:]
        raise RuntimeError(
            f"{tool.name} judged {len(found)} of {size}, and not as it should {wrong[:5]}; it wrote:\n{wrote}"
        )
