"""Write grader/docs/benchmarks.md from the measurements. Parts that were not measured are left out."""

from __future__ import annotations

import statistics

from classroom import LAB
from tables import paragraphs, spread, table
from tools import LABKIT, NBVAL, SAME_TESTS

HEAD = f"""# Benchmarks

Made by `make bench`, which keeps what it measures in [benchmarks.json](benchmarks.json): `python grader/benchmarks/bench.py --report-only`
makes this page again. Classes are of lab {LAB}, with one student in four who makes a mistake. A run counts only when
every student was judged, and found right or wrong as they are. The last lines say when that was; the lab may have been changed since.
"""
COMPARED = """Every tool grades the same answers, in rotating order. Numbers are medians of the rounds (lowest to highest), ratios medians of the
rounds' ratios. Time is that of the command from start to end, processor time that of all its processes.

- **labkit** runs each submission confined, judges it at sizes that it draws, and names the mistake. The others
  judge it by asserts at fixed sizes of the same kinds, beside the answers.
- **nbgrader** grades one after another; it has no option for more. With labkit's kernel each notebook gets a fork of a warm one, confined;
  all others are not confined.
- **otter** grades one after another too: by its Python API in one process, and by its command line in a process for each, as one does
  without containers.
- **pytest-prairielearn-grader** has the student's answers in a process beside the tests', which nothing confines here. As in its container
  there is a session for each submission, with `module_sandbox`, one after another. It takes the cells that are marked for it, the
  exercises, so it runs less of the notebook than all others. A table without rows reaches its tests without its shape, and is not
  asked for.
- **pytest --nbval** compares each notebook with the outputs that came with it, and gives no points; its documentation asks for
  `--dist loadscope`, which keeps a notebook's cells together.
- The **floors** are no graders but a measure of what cannot be saved: one process imports what the lab imports, once, and
  runs the cells of one submission after the other by `exec`, then the checks. One floor encodes every picture that a notebook would
  show, as all other tools do. One draws none. One also leaves out the cells that only show something, as labkit does. The
  floor of the same tests runs the autograder's tests instead of asserts, and is there for every lab. None starts a process for a
  submission, or confines it."""


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
            "![Seconds per submission, by lab: see the table above.](benchmarks_labs.svg)\n",
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
        first = f"From nothing, its first result is there after {spread(over(rounds, LABKIT, 'first'))} seconds."
        how = f"labkit's jobs: {part['jobs']}. Rounds: {len(rounds)}, with a load average before each of {loads}."
        lines += [f"{beside_floors(part)} {first} {how}"]
    if len(compared) > 1:
        lines += ["### One more submission", one_more(compared[0], compared[-1])]
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
        "times labkit's seconds, of nbval",
        "times labkit's processor seconds, of nbval",
        "labkit's processor seconds, times those of the floor",
        "load average before each round",
    ]
    words = (
        f"Solved submissions of each lab, graded by labkit and run by `{NBVAL}`; in lab 01 one in four has a mistake. "
        f"The floor is the {SAME_TESTS}. On a machine with other work, which the load average shows, compare processor seconds."
    )
    return paragraphs("## Every lab", words, table(head, rows))


def compare_table(size: int, rounds: list[dict]) -> str:
    rows = []
    for tool in rounds[0]["costs"]:
        walls, cpus = over(rounds, tool, "wall"), over(rounds, tool, "cpu")
        times = [f"{ratio(rounds, tool, what):.2f}" for what in ("wall", "cpu")]
        rows.append([tool, spread(walls), f"{statistics.median(walls) / size:.3f}", times[0], spread(cpus), times[1]])
    head = ["tool", "seconds", "seconds each", "times labkit's seconds", "processor seconds"]
    return table([*head, "times labkit's processor seconds"], rows)


def one_more(small: dict, large: dict) -> str:
    """The cost of each further submission, from the medians of two classes. labkit's row is the first."""
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
    words = f"The difference between the classes of {small['size']} and {large['size']}, by the submissions that are more: without the start."
    head = [
        "tool",
        "seconds each",
        "times labkit's seconds",
        "processor seconds each",
        "times labkit's processor seconds",
    ]
    return f"{words}\n\n{table(head, shown)}"


def beside_floors(part: dict) -> str:
    """Compare labkit's time with each floor's."""
    words = []
    for floor in part["floors"]:
        wall, cpu = (1 / ratio(part["rounds"], floor, what) for what in ("wall", "cpu"))
        words.append(f"{wall:.2f} times the seconds and {cpu:.2f} times the processor seconds of the {floor}")
    return f"labkit takes {', and '.join(words)}."


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
        words.append("labkit's time per submission and its memory by the size of the class: see the table below.")
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
    lines = ["## labkit by the size of the class", table(head, rows)]
    lines += ["Each starts from nothing: no server runs, no result is kept. Memory is the peak of one process."]
    if len(part["sizes"]) > 1:
        small, large = part["sizes"][-2:]
        times = (large["cost"]["wall"] / large["size"]) / (small["cost"]["wall"] / small["size"])
        more = {what: f"{large['cost'][what] - small['cost'][what]:+.1f} MiB" for what in ("largest", "main")}
        lines[-1] += (
            f" From {small['size']:,} to {large['size']:,} submissions the time of each changes by the factor {times:.2f}, the peak of the "
            f"largest process by {more['largest']}, and that of the grader's own by {more['main']}."
        )
    return paragraphs(*lines)


SPENT_ON = {
    "command": "the command: its start, finding and reading submissions, reports",
    "imports of workers": "imports of the workers, once",
    "workers": "workers: assembling, judging answers",
    "server": "the fork server: its imports, and forking",
    "kernels": "kernels: the cells of submissions, and their answers",
}


def spent(part: dict) -> str:
    total = sum(part["seconds"].values())
    rows = [
        [SPENT_ON[kind], f"{seconds:.1f}", f"{1000 * seconds / part['size']:.0f}", f"{100 * seconds / total:.0f} %"]
        for kind, seconds in part["seconds"].items()
    ]
    head = ["", "processor seconds", "milliseconds for each submission", "share"]
    return paragraphs(f"## Where the time of a class of {part['size']} goes", table(head, rows))


def spent_in_labs(parts: dict[str, dict]) -> str:
    rows = []
    for lab, part in sorted(parts.items()):
        each = {kind: 1000 * part["seconds"][kind] / part["size"] for kind in SPENT_ON}
        rows.append(
            [lab[:2], str(part["size"]), *(f"{value:.0f}" for value in each.values()), f"{sum(each.values()):.0f}"]
        )
    words = "Processor milliseconds for each submission, of the same kinds of processes."
    head = ["lab", "submissions", *(what.partition(":")[0].partition(",")[0] for what in SPENT_ON.values()), "all"]
    return paragraphs("### In every lab", words, table(head, rows))


def regraded(part: dict) -> str:
    names = {
        "first": "the first time",
        "unchanged": "again, nothing changed",
        "points changed": "again, after the points of one test changed",
    }
    rows = []
    for name, costs in part["costs"].items():
        walls, cpus = ([cost[what] for cost in costs] for what in ("wall", "cpu"))
        rows.append([names[name], str(len(costs)), spread(walls, 2), spread(cpus, 2)])
    head = ["", "runs", "seconds", "processor seconds"]
    return paragraphs(f"## A class of {part['size']} again", table(head, rows))


def in_lab(part: dict) -> str:
    rows = []
    for name, times in part["exercises"].items():
        late = statistics.quantiles(times["others"], n=20, method="inclusive")[-1]
        shown = (times["first"], statistics.median(times["others"]), late)
        rows.append([*name.split(" "), *(f"{value:.1f}" for value in shown)])
    words = "Milliseconds of `check(...)` as the kernel counts them, in a lab run to its end with the solution's answers: the first check of "
    words += f"an exercise, then the median and the 95th percentile of {part['repeats']} more."
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
    """Say where and when parts were measured: in one line, unless there were several machines or days."""
    found: dict[str, list[str]] = {}
    for name, part in known.items():
        found.setdefault(f"{part['when']}: {part['machine']}", []).append(name)
    lines = [each if len(found) == 1 else f"{', '.join(names)}, {each}" for each, names in found.items()]
    return paragraphs("## The machine, and when", *lines)


def over(rounds: list[dict], tool: str, what: str) -> list[float]:
    return [each["costs"][tool][what] for each in rounds]


def ratio(rounds: list[dict], tool: str, what: str) -> float:
    """The median over rounds of a tool's cost divided by labkit's."""
    return statistics.median(a / b for a, b in zip(over(rounds, tool, what), over(rounds, LABKIT, what), strict=True))
