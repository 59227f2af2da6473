"""Run all tools on one class: each tool once per round, starting with a different tool each time.

Tools that start a kernel for each notebook sometimes hang. If a tool fails, this is reported and only that tool is left out.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from itertools import product
from pathlib import Path

from classroom import LAB, students
from measure import Cost, measure
from tools import LABKIT, NBVAL, SAME_TESTS, Tool, contenders

ROUNDS, LARGE, SMALL = 3, 200, 20


def every_lab(place: Path, labs: list[str], jobs: int, seconds: float) -> Iterator[tuple[str, int, dict]]:
    """Measure each lab in rounds, until the next step would not end in time. Yields labs and sizes with all rounds so far.

    First labkit on the LARGE classes, then the floor, two at a time because labkit also keeps several processors busy,
    then labkit and nbval on the SMALL classes.
    """
    end, longest = time.monotonic() + seconds, dict.fromkeys((LABKIT, SAME_TESTS, NBVAL), 0.0)
    found: dict[tuple[str, int], list[dict]] = {}
    steps = [*(([lab], LARGE, LABKIT) for lab in labs), (labs, LARGE, SAME_TESTS)]
    steps += [([lab], SMALL, name) for lab in labs for name in (LABKIT, NBVAL)]
    for turn, (number, (own, size, name)) in product(range(ROUNDS), enumerate(steps)):
        if (began := time.monotonic()) + longest[name] > end:
            return
        with ThreadPoolExecutor(2) as threads:
            folders = [place / f"{turn}-{number}-{lab}" for lab in own]
            costs = [*threads.map(partial(measured, size=size, name=name, jobs=jobs), folders, own)]
        longest[name] = max(longest[name], time.monotonic() - began)
        for lab, cost in zip(own, costs):
            rounds = found.setdefault((lab, size), [])
            if len(rounds) == turn:
                rounds.append({"load": round(os.getloadavg()[0], 2), "costs": {}})
            rounds[turn]["costs"][name] = asdict(cost)
            whole = [each for each in rounds if each["costs"].keys() == rounds[0]["costs"].keys()]
            yield lab, size, {"lab": lab, "size": size, "jobs": jobs, "rounds": whole}
        print(f"round {turn + 1}: {name}, {size} of {', '.join(own)}: {costs}", flush=True)


def measured(folder: Path, lab: str, size: int, name: str, jobs: int) -> Cost:
    """Measure one tool on a new class. Errors: RuntimeError if it fails."""
    (tool,) = (each for each in contenders(jobs, lab) if each.name == name)
    folder.mkdir()
    tool.prepare(folder / "prepared", size)
    return run(tool, folder / "prepared", folder / "class", size)


def compare(place: Path, size: int, rounds: int, jobs: int, left_out: list[str]) -> dict:
    """Measure all rounds. A tool is left out if it fails in any of them, that is, if it skips or misgrades a student.

    Errors: RuntimeError if labkit failed.
    """
    tools = [tool for tool in contenders(jobs) if tool.name not in left_out]
    for number, tool in enumerate(tools):
        (place / f"prepared-{number}").mkdir(parents=True)
        tool.prepare(place / f"prepared-{number}", size)
    found: list[dict] = []
    failed: set[str] = set()
    for turn in range(rounds):
        found.append({"load": round(os.getloadavg()[0], 2), "costs": {}})
        for step in range(len(tools)):
            number = (turn + step) % len(tools)
            name = tools[number].name
            if name in failed:
                continue
            try:
                cost = run(tools[number], place / f"prepared-{number}", place / f"{turn}-{number}", size)
            except RuntimeError as problem:
                if name == LABKIT:  # all tools are compared with labkit, so a comparison without it is useless
                    raise
                failed.add(name)
                print(f"class of {size}: {name} is left out: {problem}", file=sys.stderr, flush=True)
                continue
            found[-1]["costs"][name] = asdict(cost)
            print(f"class of {size}, round {turn + 1}: {name}: {cost}", flush=True)
    counts = [tool for tool in tools if tool.name not in failed]
    for each in found:
        each["costs"] = {tool.name: each["costs"][tool.name] for tool in counts}
    return {"lab": LAB, "size": size, "jobs": jobs, "rounds": found}


def run(tool: Tool, prepared: Path, folder: Path, size: int) -> Cost:
    """Measure grading in a fresh copy of the prepared folder. The copy is removed if all verdicts are right."""
    shutil.copytree(prepared, folder)
    cost = measure(tool.command, folder, folder / "log")
    judge(tool, folder, size)
    shutil.rmtree(folder)
    return cost


def judge(tool: Tool, folder: Path, size: int) -> None:
    expected, found = students(size, tool.lab), tool.found_right(folder)
    if found != expected:
        wrong = sorted(name for name in expected | found if expected.get(name) != found.get(name))
        wrote = (folder / "log").read_text("utf-8", "replace")[-2000:]
        raise RuntimeError(
            f"{tool.name} graded {len(found)} of {size}, some wrongly: {wrong[:5]}; it printed:\n{wrote}"
        )
