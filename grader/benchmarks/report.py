"""The pages about speed: totals for the repository, and a long table on request. bench.py measures what they state."""

from __future__ import annotations

import statistics

from classroom import LAB
from tables import table
from tools import LABKIT, NBVAL, SAME_TESTS

PAGE = """\
# Benchmarks

How long does labkit take to grade a class, compared with other graders? `make bench` measured it and made this page from
[benchmarks.json](benchmarks.json). With `--all FILE`, `grader/benchmarks/bench.py` also writes how long each check takes inside a lab.

All tools grade the same answers to lab `{lab}`, of which one in four is wrong. A tool counts only if every verdict is
right. "Times" are the tool's time divided by labkit's, first the elapsed time, then the processor time of all processes; the seconds are
elapsed. labkit isolates each submission, tests it with random sizes and names the mistake. nbgrader, otter and
pytest-prairielearn-grader run asserts without isolation, one submission after another. nbval only compares a notebook with stored outputs,
which gives no points. The floor is the least work possible: labkit's tests in one process, without kernels or isolation.

{classes}

Every lab, with right answers except in lab 01: milliseconds of processor time for each submission, and ratios of processor time.
Other tools need asserts, which exist only for lab 01. `python grader/benchmarks/bench.py labs --minutes 25` measures this up to three times; these are medians.

{labs}{first}

Where labkit's time goes: milliseconds of processor time for each submission, by the kind of process, measured with
`python grader/benchmarks/bench.py where --size {size}`. The imports and the start of each process are included. The last column has
the three largest shares of the kernels' time, from `bench.py kernels`: calls of an exercise, or a kernel's start and its cells. Where
these come first, answers are so cheap that starting a kernel costs more: these labs take the most times the floor.

{where}

Measured {machines}.
"""
EVERYTHING = """\
# Benchmarks, continued

## A check inside a lab

How long a student waits for `check(...)`, in milliseconds: the first call, and the median and the 95th percentile of the {repeats} others.

{checks}
"""


def page(known: dict) -> str:
    """The totals. `known` is benchmarks.json. Parts that were not measured are left out."""
    compared = sorted(parts(known, "compare").values(), key=lambda part: part["size"])
    labs = sorted(parts(known, "lab").values(), key=lambda part: (part["lab"], part["size"]))
    processes = parts(known, "where")
    return PAGE.format(
        lab=LAB,
        classes=table_of_classes(compared),
        labs=table_of_labs(labs),
        first=first_result(known.get("first", {"rounds": []})["rounds"]),
        size=next((part["size"] for part in processes.values()), 0),
        where=table_of_processes(processes, parts(known, "kernels")),
        machines=machines([*compared, *labs, *processes.values()]),
    )


def everything(known: dict) -> str:
    checks = known.get("check", {"repeats": 0, "exercises": {}})
    return EVERYTHING.format(repeats=checks["repeats"], checks=table_of_checks(checks))


def parts(known: dict, kind: str) -> dict[str, dict]:
    return {name: part for name, part in known.items() if name.partition(" ")[0] == kind}


def table_of_classes(compared: list[dict]) -> str:
    """A row for each tool, and two columns for each class."""
    head = ["tool"]
    for part in compared:
        head += [f"{part['size']} submissions: s", "times"]
    tools = dict.fromkeys(tool for part in compared for tool in part["rounds"][0]["costs"])
    return table(
        head, ([tool, *(cell for part in compared for cell in cost_cells(part["rounds"], tool))] for tool in tools)
    )


def cost_cells(rounds: list[dict], tool: str) -> list[str]:
    if tool not in rounds[0]["costs"]:
        return ["", ""]
    seconds = statistics.median(over(rounds, tool, "wall"))
    return [f"{seconds:.1f}", f"{ratio(rounds, tool, 'wall'):.1f}, {ratio(rounds, tool, 'cpu'):.1f}"]


def table_of_labs(measured: list[dict]) -> str:
    """A row for each lab, with the small and the large class."""
    rows: dict[str, list[str]] = {}
    for part in measured:
        small = NBVAL in (costs := part["rounds"][0]["costs"])
        row = rows.setdefault(part["lab"], [part["lab"][:2], "", "", "", ""])
        row[1 if small else 3] = f"{1000 * statistics.median(over(part['rounds'], LABKIT, 'cpu')) / part['size']:.0f}"
        if small or SAME_TESTS in costs:
            other = ratio(part["rounds"], NBVAL if small else SAME_TESTS, "cpu")
            row[2 if small else 4] = f"{other if small else 1 / other:.1f}"
    return table(["lab", "20: labkit, ms", "nbval / labkit", "200: labkit, ms", "labkit / floor"], rows.values())


def first_result(rounds: list[dict]) -> str:
    """One sentence about the time until the first result."""
    if not rounds:
        return ""
    wall, cpu = (
        statistics.median(each["labkit"][what] / each["kernel"][what] for each in rounds) for what in ("wall", "cpu")
    )
    seconds = statistics.median(each["labkit"]["wall"] for each in rounds)
    return (
        f"\n\nWith `--jobs {rounds[0].get('jobs', 1)}`, the first result appears after {seconds:.1f} s. That is {wall:.2f} of the time in which a stock "
        f"kernel starts and runs lab 01's first cell. All processes of a class of one take {cpu:.1f} times that kernel's processor time."
    )


def table_of_processes(found: dict[str, dict], kernels: dict[str, dict]) -> str:
    kinds = list(dict.fromkeys(kind for part in found.values() for kind in part["seconds"]))
    rows = []
    for part in sorted(found.values(), key=lambda part: part.get("lab", LAB)):
        each = [1000 * part["seconds"].get(kind, 0.0) / part["size"] for kind in kinds]
        shares = kernels.get(f"kernels {part.get('lab', LAB)}", {"shares": {}})["shares"]
        largest = ", ".join(f"{name} {share:.0%}" for name, share in [*shares.items()][:3])
        rows.append([part.get("lab", LAB)[:2], *(f"{value:.0f}" for value in (*each, sum(each))), largest])
    return table(["lab", *kinds, "all", "most in kernels"], rows)


def table_of_checks(found: dict) -> str:
    rows = []
    for name, times in found["exercises"].items():
        late = statistics.quantiles(times["others"], n=20, method="inclusive")[-1]
        shown = (times["first"], statistics.median(times["others"]), late)
        rows.append([*name.split(" "), *(f"{value:.1f}" for value in shown)])
    return table(["lab", "exercise", "first call", "median", "95th percentile"], rows)


def machines(measured: list[dict]) -> str:
    """When and on what machine the parts were measured, without repetition."""
    days: dict[str, list[str]] = {}
    for part in measured:
        days.setdefault(part["machine"].rstrip("."), []).append(part["when"])
    return "; ".join(f"on {', '.join(sorted(set(when)))} on {machine}" for machine, when in days.items())


def over(rounds: list[dict], tool: str, what: str) -> list[float]:
    return [each["costs"][tool][what] for each in rounds]


def ratio(rounds: list[dict], tool: str, what: str) -> float:
    """Divide a tool's cost by labkit's in each round, and return the median of these ratios."""
    return statistics.median(a / b for a, b in zip(over(rounds, tool, what), over(rounds, LABKIT, what), strict=True))
