"""How long grading a class takes: labkit, nbgrader, and stock pytest --nbval, side by side in one run.

`make bench` installs nbgrader into an environment of its own, generates one class for all, runs the tools in rotating
order, and writes docs/benchmarks.md. All in it comes from the run.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import classroom
from measure import Cost, measure

HERE = Path(__file__).resolve().parent
REPORT = classroom.ROOT / "docs" / "benchmarks.md"
PINNED = {"nbgrader": "nbgrader==0.9.6"}
BIN = Path(sys.executable).parent


@dataclass(frozen=True)
class Tool:
    """`prepare` makes a folder with a class of so many; `command` grades it there; `graded` counts what was judged."""

    name: str
    prepare: Callable[[Path, int], None]
    command: Callable[[], list[str]]
    graded: Callable[[Path], int]
    reset: Callable[[Path], None]


def tools(jobs: int) -> list[Tool]:
    labkit = ["labkit", "grade", "class", "--out", "out", "--jobs", str(jobs)]
    nbval = ["python", "-m", "pytest", "--nbval", "--nbval-current-env", "-n", str(jobs), "-q", "-o", "addopts="]
    nbval += ["-p", "no:cacheprovider", "class"]
    own = lambda command: lambda: [str(BIN / command[0]), *command[1:]]
    in_class = lambda make: lambda folder, size: make(folder / "class", size)
    nbgrader = lambda name, *options: Tool(
        name,
        _nbgrader_course,
        lambda: _nbgrader("autograde", *options),
        lambda folder: len(list(folder.glob("autograded/*/lab/*.ipynb"))),
        lambda folder: _remove(folder / "autograded"),
    )
    return [
        Tool("labkit grade", in_class(classroom.for_labkit), own(labkit), _results,
             lambda folder: _remove(folder / "out")),
        nbgrader("nbgrader autograde"),
        nbgrader("nbgrader autograde, kernel labkit", "--Execute.kernel_name=labkit"),
        Tool(f"pytest --nbval -n {jobs}", in_class(classroom.for_nbval), own(nbval),
             lambda folder: len(list(folder.glob("class/*.ipynb"))), lambda folder: None),
    ]  # fmt: skip


def _results(folder: Path) -> int:
    import json

    return sum(row["status"] == "graded" for row in json.loads((folder / "out" / "results.json").read_text("utf-8")))


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def _nbgrader_course(folder: Path, size: int) -> None:
    classroom.for_nbgrader(folder, size)
    subprocess.run(_nbgrader("generate_assignment"), cwd=folder, check=True, capture_output=True)


def _nbgrader(what: str, *options: str) -> list[str]:
    """It looks for other programs of its environment on the path."""
    programs = HERE / ".venvs" / "nbgrader" / "bin"
    return ["env", f"PATH={programs}:{os.environ['PATH']}", str(programs / "nbgrader"), what, "lab", *options]


def install() -> None:
    """Each peer in an environment of its own, with this project beside it, since the lab imports labkit."""
    for name, requirement in PINNED.items():
        python = HERE / ".venvs" / name / "bin" / "python"
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", python.parent.parent], check=True)
        found = subprocess.run([python, "-m", "pip", "freeze"], capture_output=True, text=True).stdout
        if requirement not in found or not (python.parents[1] / "share/jupyter/kernels/labkit").exists():
            pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement]
            subprocess.run([*pip, "--editable", classroom.ROOT], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=20, help="submissions in the class")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--sizes", type=int, nargs="*", default=[20, 200], help="class sizes for labkit alone")
    arguments = parser.parse_args()
    install()
    with tempfile.TemporaryDirectory(prefix="labkit-bench-") as place:
        costs, loads = compare(Path(place), arguments)
        scaling = [scale(Path(place) / f"scale-{size}", size, arguments.jobs) for size in arguments.sizes]
    REPORT.write_text(report(arguments, costs, loads, scaling), "utf-8")
    print(REPORT)


def compare(place: Path, arguments: argparse.Namespace) -> tuple[dict[str, list[Cost]], list[float]]:
    """Every tool once a round, a different one first each time. Errors: RuntimeError when one did not grade them all."""
    contenders = tools(arguments.jobs)
    costs: dict[str, list[Cost]] = {tool.name: [] for tool in contenders}
    loads = []
    for number, tool in enumerate(contenders):
        (place / str(number)).mkdir(parents=True)
        tool.prepare(place / str(number), arguments.size)
    for turn in range(arguments.rounds):
        loads.append(os.getloadavg()[0])
        for step in range(len(contenders)):
            number = (turn + step) % len(contenders)
            tool, folder = contenders[number], place / str(number)
            tool.reset(folder)
            costs[tool.name].append(measure(tool.command(), folder, folder / "log"))
            if (graded := tool.graded(folder)) != arguments.size:
                wrote = (folder / "log").read_text("utf-8", "replace")[-2000:]
                raise RuntimeError(f"{tool.name} graded {graded} of {arguments.size}; it wrote:\n{wrote}")
            print(f"round {turn + 1}: {tool.name}: {costs[tool.name][-1]}", flush=True)
    return costs, loads


def scale(folder: Path, size: int, jobs: int) -> tuple[int, Cost, float]:
    """labkit alone with a class of this size: its cost, and the seconds to the first result."""
    tool = tools(jobs)[0]
    folder.mkdir(parents=True)
    tool.prepare(folder, size)
    started = time.time()
    cost = measure(tool.command(), folder, folder / "log")
    return size, cost, min(path.stat().st_mtime for path in (folder / "out" / "cache").glob("*.json")) - started


def report(arguments: argparse.Namespace, costs: dict[str, list[Cost]], loads: list[float], scaling: list) -> str:
    rounds = range(arguments.rounds)
    labkit = next(iter(costs.values()))
    rows = [
        "| tool | seconds, median (lowest to highest) | processor seconds | times labkit's seconds |",
        "|---|---|---|---|",
    ]
    for name, each in costs.items():
        walls = [cost.wall for cost in each]
        ratio = statistics.median(each[turn].wall / labkit[turn].wall for turn in rounds)
        cpu = statistics.median(cost.cpu for cost in each)
        rows.append(
            f"| {name} | {statistics.median(walls):.1f} ({min(walls):.1f} to {max(walls):.1f}) | {cpu:.1f} | {ratio:.1f} |"
        )
    more = ["| submissions | seconds | seconds each | first result after | largest process |", "|---|---|---|---|---|"]
    for size, cost, first in scaling:
        more.append(f"| {size} | {cost.wall:.1f} | {cost.wall / size:.3f} | {first:.1f} s | {cost.peak_mib:.0f} MiB |")
    return f"""# Benchmarks

Written by `make bench`; no number here is typed by hand.

## One class of {arguments.size}, lab {classroom.LAB}

{chr(10).join(rows)}

{arguments.rounds} rounds of all tools, in rotating order; the ratio is the median of the rounds' ratios. Time counts from the
start of the command to its end; processor time is that of all its processes that ended by themselves.
Every tool gets the same answers, one in four with a mistake. labkit and nbgrader judge the same functions at the same
kinds of sizes, labkit in {arguments.jobs} processes at once; nbgrader has no such option. Stock nbval compares outputs and
gives no points. labkit runs each submission confined ({_layer()}); the others do not confine it.

## labkit by the size of the class

{chr(10).join(more)}

## The machine

{_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}, Python {platform.python_version()}, labkit {version("labkit")},
nbval {version("nbval")}, {", ".join(PINNED.values())}. Load average before each round: {", ".join(f"{load:.1f}" for load in loads)};
with much more than 0 other work was running, and the ratios say more than the seconds.
"""


def _layer() -> str:
    from labkit.kernel.confine import best_layer

    return best_layer()


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or "Unknown processor"


if __name__ == "__main__":
    main()
