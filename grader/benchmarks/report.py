"""Write grader/docs/benchmarks.md from the measurements. Parts that were not measured are left out."""

from __future__ import annotations

import statistics

from classroom import LAB
from tables import paragraphs, spread, table
from tools import LABKIT, NBVAL, SAME_TESTS

HEAD = f"""# Benchmarks

`make bench` makes this page and stores its measurements in [benchmarks.json](benchmarks.json).
`python grader/benchmarks/bench.py --report-only` writes the page again from this file. Unless stated otherwise, a class consists of
submissions of lab {LAB}, and one student in four made a mistake. A run counts only if every student was graded and every verdict was
correct. The last section lists when each part was measured; labs may have changed since.
"""
COMPARED = """All tools grade the same answers; the order of the tools rotates. Each number is the median over the rounds, with the lowest
and highest in parentheses if there were several; a ratio is the median of the rounds' ratios. We time the whole command, from start to end, and add up the processor
time of all its processes.

- **labkit** isolates each submission, checks it with tables of random sizes, and names the mistake. The other tools run
  asserts on tables of fixed sizes: small, large, empty and invalid ones, as in labkit's checks.
- **nbgrader** grades one submission at a time and has no option to grade several at once. We also ran it with labkit's kernel, where each
  notebook runs in an isolated fork of a warm kernel. With its own kernel, nbgrader does not isolate submissions, and neither do otter and nbval.
- **otter** also grades one submission at a time. We ran it through its Python API in one process, and on the command line with a new
  process for each submission, which is how it grades without containers.
- **pytest-prairielearn-grader** runs the tests in one process and the student's answers in another, here without isolation. Each
  submission has its own session, as it does in the tool's container, and uses `module_sandbox`; sessions run one after another. The tool reads only
  marked cells, and we marked the exercises, so it runs less of the notebook than the other tools. We left out the case of a table
  without rows, because its shape is lost when the tool passes it to the tests.
- **pytest --nbval** compares each notebook with its stored outputs and gives no points. Its documentation recommends
  `--dist loadscope`, which keeps a notebook's cells together.
- The **floors** are not graders; they measure the time that no grader can save. One process imports the lab's packages once. For each
  submission, it runs the cells with `exec`, and then the checks. One floor encodes every picture that a notebook would show, as
  all other tools do; one draws no pictures; one also skips the cells that only display something, as labkit does. The floor of the same
  tests runs the autograder's tests instead of asserts; it was measured for every lab. No floor starts a process for a submission or
  isolates it."""


def text(known: dict) -> str:
    compared = sorted(
        (part for name, part in known.items() if name.startswith("compare ")), key=lambda part: part["size"]
    )
    parts = [HEAD, f"![{picture_in_words(known, compared)}](benchmarks.svg)\n"]
    parts += [side_by_side(compared)] if compared else []
    others = [part for name, part in known.items() if name.startswith("lab ")]
    parts += (
        [
            every_lab([*compared, *others]),
            "![Seconds per submission by lab, as in the table above.](benchmarks_labs.svg)\n",
        ]
        if others
        else []
    )
    parts += [write(known[name]) for name, write in SECTIONS.items() if name in known]
    spent_by_lab = {name.removeprefix("where "): part for name, part in known.items() if name.startswith("where ")}
    parts += [spent_in_labs({LAB: known["where"], **spent_by_lab})] if spent_by_lab and "where" in known else []
    return "\n".join([*parts, machines(known)])


def side_by_side(compared: list[dict]) -> str:
    lines = ["## Side by side", COMPARED]
    for part in compared:
        rounds = part["rounds"]
        loads = ", ".join("unknown" if each["load"] is None else f"{each['load']:g}" for each in rounds)
        lines += [f"### A class of {part['size']}", compare_table(part["size"], rounds)]
        first = f"From scratch, it wrote its first result after {spread(over(rounds, LABKIT, 'first'))} seconds."
        how = f"labkit used {part['jobs']} jobs. Rounds: {len(rounds)}; load average before each: {loads}."
        lines += [f"{versus_floors(part)} {first} {how}"]
    if len(compared) > 1 and compared[0]["when"] == compared[-1]["when"]:  # labs may change in between
        lines += ["### Each additional submission", one_more(compared[0], compared[-1])]
    return paragraphs(*lines)


def every_lab(compared: list[dict]) -> str:
    """Compare labkit with stock nbval, by class size and lab."""
    rows = []
    for part in sorted(compared, key=lambda part: (part["size"], part.get("lab", LAB))):
        rounds, size = part["rounds"], part["size"]
        each, cpu, first = (statistics.median(over(rounds, LABKIT, what)) for what in ("wall", "cpu", "first"))
        costs = rounds[0]["costs"]
        times = [f"{ratio(rounds, NBVAL, what):.1f}" if NBVAL in costs else "" for what in ("wall", "cpu")]
        times += [f"{1 / ratio(rounds, SAME_TESTS, 'cpu'):.1f}" if SAME_TESTS in costs else ""]
        numbers = [f"{each / size:.3f}", f"{1000 * cpu / size:.0f}", f"{first:.1f}"]
        loads = ", ".join("unknown" if each["load"] is None else f"{each['load']:g}" for each in rounds)
        rows.append([part.get("lab", LAB)[:2], str(size), *numbers, *times, loads])
    head = ["lab", "submissions", "seconds each", "processor milliseconds each", "seconds to the first result"]
    head += [
        "nbval's seconds, as a multiple of labkit's",
        "nbval's processor seconds, as a multiple of labkit's",
        "labkit's processor seconds, as a multiple of the floor's",
        "load average before each round",
    ]
    words = (
        f"Solved submissions of each lab, graded by labkit and run by `{NBVAL}`; in lab 01, one in four has a mistake. "
        f'"Floor" means the {SAME_TESTS}. If the load average shows that the machine was also doing other work, compare processor seconds.'
    )
    return paragraphs("## Every lab", words, table(head, rows))


def compare_table(size: int, rounds: list[dict]) -> str:
    rows = []
    for tool in rounds[0]["costs"]:
        walls, cpus = over(rounds, tool, "wall"), over(rounds, tool, "cpu")
        times = [f"{ratio(rounds, tool, what):.2f}" for what in ("wall", "cpu")]
        rows.append([tool, spread(walls), f"{statistics.median(walls) / size:.3f}", times[0], spread(cpus), times[1]])
    head = ["tool", "seconds", "seconds each", "multiple of labkit's seconds", "processor seconds"]
    return table([*head, "multiple of labkit's processor seconds"], rows)


def one_more(small: dict, large: dict) -> str:
    """The cost of each additional submission, from the medians of two classes. labkit's row comes first."""
    more, rows = large["size"] - small["size"], []
    for tool in [tool for tool in small["rounds"][0]["costs"] if tool in large["rounds"][0]["costs"]]:
        wall, cpu = (
            statistics.median(over(large["rounds"], tool, what)) - statistics.median(over(small["rounds"], tool, what))
            for what in ("wall", "cpu")
        )
        rows.append((tool, wall / more, cpu / more))
    shown = [
        [tool, f"{wall:.3f}", f"{wall / rows[0][1]:.2f}", f"{cpu:.3f}", f"{cpu / rows[0][2]:.2f}"]
        for tool, wall, cpu in rows
    ]
    words = f"The difference between the classes of {small['size']} and {large['size']}, divided by the {more} additional submissions. Startup time cancels out."
    head = [
        "tool",
        "seconds each",
        "multiple of labkit's seconds",
        "processor seconds each",
        "multiple of labkit's processor seconds",
    ]
    return f"{words}\n\n{table(head, shown)}"


def versus_floors(part: dict) -> str:
    """Compare labkit's time with each floor's."""
    words = []
    for floor in part["floors"]:
        wall, cpu = (1 / ratio(part["rounds"], floor, what) for what in ("wall", "cpu"))
        words.append(f"{wall:.2f} times as long as the {floor} ({cpu:.2f} times the processor time)")
    return f"labkit takes {'; '.join(words)}."


def picture_in_words(known: dict, compared: list[dict]) -> str:
    words = []
    for part in compared[-1:]:
        each = {
            tool: statistics.median(over(part["rounds"], tool, "wall")) / part["size"]
            for tool in part["rounds"][0]["costs"]
        }
        listed = "; ".join(f"{tool} {seconds:.2g}" for tool, seconds in sorted(each.items(), key=lambda item: item[1]))
        words.append(f"Seconds per submission in a class of {part['size']}: {listed}.")
    if "scale" in known:
        words.append("labkit's time per submission and its memory, by class size, are in the table below.")
    return " ".join(words)


def by_size(part: dict) -> str:
    rows = []
    for each in part["sizes"]:
        size, cost = each["size"], each["cost"]
        seconds = [f"{cost['wall']:.1f}", f"{cost['wall'] / size:.4f}", f"{cost['cpu'] / size:.4f}"]
        memory = [f"{cost['largest']:.0f}", f"{cost['main']:.0f}"]
        rows.append([f"{size:,}", *seconds, f"{cost['first']:.1f}", *memory, f"{each['load']:g}"])
    head = ["submissions", "seconds", "seconds each", "processor seconds each", "seconds to the first result"]
    head += ["largest process, MiB", "grader's own process, MiB", "load average before"]
    lines = ["## labkit by class size", table(head, rows)]
    lines += [
        "Each run starts from scratch, without a running server or stored results. Memory is the peak for a single process."
    ]
    if len(part["sizes"]) > 1:
        small, large = part["sizes"][-2:]
        times = (large["cost"]["wall"] / large["size"]) / (small["cost"]["wall"] / small["size"])
        more = {what: f"{large['cost'][what] - small['cost'][what]:+.1f} MiB" for what in ("largest", "main")}
        lines[-1] += (
            f" With {large['size']:,} submissions, the time per submission is {times:.2f} times that with {small['size']:,}; the peak "
            f"memory differs by {more['largest']} for the largest process and by {more['main']} for the grader's own process."
        )
    return paragraphs(*lines)


SPENT_ON = {
    "command": "the command: starting, finding and reading submissions, reports",
    "imports of workers": "imports for the workers, done once",
    "workers": "workers: assembling submissions, grading answers",
    "server": "the fork server: imports and forking",
    "kernels": "kernels: running cells and answers",
}


def spent(part: dict) -> str:
    total = sum(part["seconds"].values())
    rows = [
        [SPENT_ON[kind], f"{seconds:.1f}", f"{1000 * seconds / part['size']:.0f}", f"{100 * seconds / total:.0f} %"]
        for kind, seconds in part["seconds"].items()
    ]
    head = ["", "processor seconds", "milliseconds per submission", "share"]
    return paragraphs(f"## Where the time goes, in a class of {part['size']}", table(head, rows))


def spent_in_labs(parts: dict[str, dict]) -> str:
    rows = []
    for lab, part in sorted(parts.items()):
        each = {kind: 1000 * part["seconds"][kind] / part["size"] for kind in SPENT_ON}
        rows.append(
            [lab[:2], str(part["size"]), *(f"{value:.0f}" for value in each.values()), f"{sum(each.values()):.0f}"]
        )
    words = "Processor milliseconds per submission, with the same breakdown."
    head = ["lab", "submissions", *(what.partition(":")[0].partition(",")[0] for what in SPENT_ON.values()), "all"]
    return paragraphs("### In every lab", words, table(head, rows))


def regraded(part: dict) -> str:
    names = {
        "first": "the first time",
        "unchanged": "again, with nothing changed",
        "points changed": "again, after changing the points of one test",
    }
    rows = []
    for name, costs in part["costs"].items():
        walls, cpus = ([cost[what] for cost in costs] for what in ("wall", "cpu"))
        rows.append([names[name], str(len(costs)), spread(walls, 2), spread(cpus, 2)])
    head = ["", "runs", "seconds", "processor seconds"]
    return paragraphs(f"## Grading a class of {part['size']} again", table(head, rows))


def in_lab(part: dict) -> str:
    rows = []
    for name, times in part["exercises"].items():
        late = statistics.quantiles(times["others"], n=20, method="inclusive")[-1]
        shown = (times["first"], statistics.median(times["others"]), late)
        rows.append([*name.split(" "), *(f"{value:.1f}" for value in shown)])
    words = "How many milliseconds `check(...)` takes in the kernel, after a complete run of the lab with the solution's answers: for the first check "
    words += f"of an exercise, then the median and the 95th percentile of {part['repeats']} more checks."
    return paragraphs(
        "## A check inside a lab", words, table(["lab", "exercise", "first", "median", "95th percentile"], rows)
    )


def made(part: dict) -> str:
    rows = [
        [f"`make {target}`", f"{part[target]['wall']:.0f}", f"{part[target]['cpu']:.0f}"] for target in ("env", "test")
    ]
    return paragraphs("## From a fresh clone", table(["", "seconds", "processor seconds"], rows))


SECTIONS = {"scale": by_size, "where": spent, "again": regraded, "check": in_lab, "make": made}


def machines(known: dict) -> str:
    """State where and when the parts were measured, with a line for each machine and day."""
    found: dict[str, list[str]] = {}
    for name, part in known.items():
        found.setdefault(f"{part['when']}: {part['machine']}", []).append(name)
    lines = [
        each if len(found) == 1 else each.replace(":", f" (parts: {', '.join(names)}):", 1)
        for each, names in found.items()
    ]
    return paragraphs("## When and where it was measured", *lines)


def over(rounds: list[dict], tool: str, what: str) -> list[float]:
    return [each["costs"][tool][what] for each in rounds]


def ratio(rounds: list[dict], tool: str, what: str) -> float:
    """Divide a tool's cost by labkit's in each round, and return the median of these ratios."""
    return statistics.median(a / b for a, b in zip(over(rounds, tool, what), over(rounds, LABKIT, what), strict=True))
