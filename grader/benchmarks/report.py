"""Write grader/docs/benchmarks.md from the measurements. Parts that were not measured are left out."""

from __future__ import annotations

import statistics

from classroom import LAB
from tables import paragraphs, spread, table
from tools import LABKIT, NBVAL, SAME_TESTS

HEAD = f"""`make bench` makes this page: it runs every tool on the same class, and stores the measurements in [benchmarks.json](benchmarks.json). To
rewrite the page from this file without measuring again, run `python grader/benchmarks/bench.py --report-only`.

Unless a section says otherwise, the class submitted lab `{LAB}`, in which students compute a table of positional encodings, and
one student in four made a mistake. A measurement counts only if the tool graded every student and every verdict was correct.

Some sections were measured on different days, so the same class can take a different time in two of them. The [last
section](#when-and-where-it-was-measured) lists the dates. The labs may have changed since then.
"""
COMPARED = """Every tool grades the same answers. In each round, every tool grades the class once, and the next round starts with a different
tool. We time the whole command, and add up the processor time of all the processes that it starts.

In the tables, "relative to labkit" means a tool's time divided by labkit's: 2.00 is twice as long as labkit. If there were several rounds, a
cell shows the median, with the lowest and the highest value in parentheses, and each ratio is the median of the rounds' ratios.

The tools do not all do the same work:

- **labkit** isolates each submission, asks the student's functions for tables of random sizes, and names the mistake. All other graders
  except nbval run asserts on tables of fixed sizes instead. Like labkit's tests, the asserts include small, large, empty and invalid sizes.
- **nbgrader** grades one submission after another, because it has no option to grade several at once. Its kernel doesn't isolate
  submissions.
- **otter** also grades one submission after another, without isolation. "otter, Python API" grades the class in one process. "otter run" starts
  a new process for each submission, which is how otter grades when it doesn't use containers.
- **pytest-prairielearn-grader** runs the tests in one process and the student's answers in another, which we did not isolate. As in the
  tool's own container, each submission gets its own pytest session, and the sessions run one after another. All tests of a session share
  one process for the answers (`module_sandbox`). The tool runs only marked cells. We marked the exercises, so it runs less of the notebook than the
  other tools. We removed one case, a table without rows, because the tool doesn't preserve the shape of an empty table.
- **pytest --nbval** gives no points. It only compares each notebook's outputs with the outputs stored in the file, and it doesn't isolate
  submissions. We added `--dist loadscope`, which nbval's documentation recommends because it keeps a notebook's cells together.

The rows named "floor" are not graders. They show how much time the work itself takes, without starting a process for each
submission and without isolation. A floor imports the lab's packages once, then runs each submission's cells with `exec` and tests the
answers, all in one process. A grader that uses several cores can therefore finish sooner than a floor, so compare processor time, not elapsed time.
labkit doesn't run the cells that only display something, so it can need less processor time than the floor with pictures.

| floor | cells | pictures | tests |
| --- | --- | --- | --- |
| with pictures | all | all that the notebook shows, encoded as in nbgrader, otter and nbval | the asserts |
| without pictures | all | none | the asserts |
| of graded cells | all except those that only display something, as in labkit | none | the asserts |
| of the same tests | all except those that only display something, as in labkit | none | labkit's tests, in one pytest session |"""
PARTS = {
    "scale": "labkit by class size",
    "where": "Where the time goes",
    "again": "Grading the same class again",
    "check": "A check inside a lab",
    "make": "From a fresh clone",
}


def text(known: dict) -> str:
    compared = sorted(
        (part for name, part in known.items() if name.startswith("compare ")), key=lambda part: part["size"]
    )
    parts = [f"# Benchmarks\n\n{answer(compared)}\n", HEAD, f"![{picture_in_words(known, compared)}](benchmarks.svg)\n"]
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


def answer(compared: list[dict]) -> str:
    """Say how long labkit and the other graders took for the largest class."""
    words = ["How long does labkit take to grade a class, compared with other autograders?"]
    for part in compared[-1:]:
        took = {tool: statistics.median(over(part["rounds"], tool, "wall")) for tool in part["rounds"][0]["costs"]}
        others = [
            f"`{tool}` took {seconds:.0f} seconds"
            for tool, seconds in took.items()
            if tool not in (LABKIT, *part["floors"])
        ]
        words += [
            f"On the machine described at the end of this page, labkit graded a class of {part['size']} students in {took[LABKIT]:.0f} seconds."
        ]
        words += [f"For the same class, {', and '.join(others)}."] if others else []
    return " ".join(words)


def side_by_side(compared: list[dict]) -> str:
    lines = ["## Side by side", COMPARED]
    for part in compared:
        rounds = part["rounds"]
        loads = ", ".join("unknown" if each["load"] is None else f"{each['load']:g}" for each in rounds)
        lines += [f"### A class of {part['size']}", compare_table(part["size"], rounds)]
        absent = [tool for tool in compared[0]["rounds"][0]["costs"] if tool not in rounds[0]["costs"]]
        lines += [f"Not measured with this class: {'; '.join(absent)}."] if absent else []
        first = spread(over(rounds, LABKIT, "first"))
        how = f"labkit graded {part['jobs']} submissions at a time. It printed its first result {first} seconds after the start."
        lines += [f"{how} Number of rounds: {len(rounds)}. Load average before each round: {loads}."]
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
    head = [
        "lab",
        "submissions",
        "seconds per submission",
        "processor ms per submission",
        "seconds to the first result",
    ]
    head += ["nbval / labkit, seconds", "nbval / labkit, processor seconds", "labkit / floor, processor seconds"]
    head += ["load average before each round"]
    words = (
        f'This table compares labkit with `{NBVAL}` and with the {SAME_TESTS} ("floor" in the table). The other tools need asserts, which exist only for lab 01. All answers '
        "are correct, except that one student in four made a mistake in lab 01. The times are labkit's. A ratio such as nbval / labkit is "
        "nbval's time divided by labkit's. If the load average is high, the machine was also doing other work; rely on processor seconds then."
    )
    return paragraphs("## Every lab", words, table(head, rows))


def compare_table(size: int, rounds: list[dict]) -> str:
    rows = []
    for tool in rounds[0]["costs"]:
        walls, cpus = over(rounds, tool, "wall"), over(rounds, tool, "cpu")
        times = [f"{ratio(rounds, tool, what):.2f}" for what in ("wall", "cpu")]
        rows.append([tool, spread(walls), f"{statistics.median(walls) / size:.3f}", times[0], spread(cpus), times[1]])
    head = ["tool", "seconds", "seconds per submission", "seconds, relative to labkit", "processor seconds"]
    return table([*head, "processor seconds, relative to labkit"], rows)


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
    words = (
        f"How much longer does a class take with one more submission? To leave out the time that a tool takes to start, we subtracted its "
        f"time for {small['size']} submissions from its time for {large['size']}, and divided by the {more} additional submissions."
    )
    head = [
        "tool",
        "seconds",
        "seconds, relative to labkit",
        "processor seconds",
        "processor seconds, relative to labkit",
    ]
    return f"{words}\n\n{table(head, shown)}"


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
    head = ["submissions", "seconds", "seconds per submission", "processor seconds per submission"]
    head += ["seconds to the first result", "largest process, MiB", "grader's own process, MiB", "load average before"]
    lines = [
        f"## {PARTS['scale']}",
        "Each class was graded from scratch, without a running server or stored results. The two memory columns are the peak memory of a "
        "single process: whichever process was largest, and the process of the `labkit grade` command itself.",
        table(head, rows),
    ]
    if len(part["sizes"]) > 1:
        small, large = part["sizes"][-2:]
        times = (large["cost"]["wall"] / large["size"]) / (small["cost"]["wall"] / small["size"])
        more = {what: f"{large['cost'][what] - small['cost'][what]:+.1f} MiB" for what in ("largest", "main")}
        lines += [
            f"With {large['size']:,} submissions, the time per submission was {times:.2f} times that with {small['size']:,}. The peak memory of the "
            f"largest process changed by {more['largest']}, and that of the grader's own process by {more['main']}."
        ]
    return paragraphs(*lines)


SPENT_ON = {
    "command": "the command: starting, finding and reading submissions, writing reports",
    "imports of workers": "the workers' imports, done once for all of them",
    "workers": "the workers: assembling notebooks, grading answers",
    "server": "the fork server: importing packages, forking kernels",
    "kernels": "the kernels: running cells and answers",
}


def spent(part: dict) -> str:
    total = sum(part["seconds"].values())
    rows = [
        [SPENT_ON[kind], f"{seconds:.1f}", f"{1000 * seconds / part['size']:.0f}", f"{100 * seconds / total:.0f} %"]
        for kind, seconds in part["seconds"].items()
    ]
    head = ["processes", "processor seconds", "processor ms per submission", "share"]
    words = (
        f"This table splits labkit's processor time for a class of {part['size']} by the kind of process that used it. A worker grades "
        "submissions one after another. It runs each submission's code in a separate kernel, which is a fork of the fork server."
    )
    return paragraphs(f"## {PARTS['where']}", words, table(head, rows))


def spent_in_labs(parts: dict[str, dict]) -> str:
    rows = []
    for lab, part in sorted(parts.items()):
        each = {kind: 1000 * part["seconds"][kind] / part["size"] for kind in SPENT_ON}
        rows.append(
            [lab[:2], str(part["size"]), *(f"{value:.0f}" for value in each.values()), f"{sum(each.values()):.0f}"]
        )
    words = "Processor milliseconds per submission in each lab, split by the same kinds of process."
    head = ["lab", "submissions", *(what.partition(":")[0].partition(",")[0] for what in SPENT_ON.values()), "all"]
    return paragraphs("### In every lab", words, table(head, rows))


def regraded(part: dict) -> str:
    names = {
        "first": "the first time",
        "unchanged": "again, without any change",
        "points changed": "again, after changing the points for one test",
    }
    rows = []
    for name, costs in part["costs"].items():
        walls, cpus = ([cost[what] for cost in costs] for what in ("wall", "cpu"))
        rows.append([names[name], str(len(costs)), spread(walls, 2), spread(cpus, 2)])
    head = ["the class is graded", "runs", "seconds", "processor seconds"]
    words = (
        "If you grade a class into the same results folder again, labkit reuses the stored results instead of running every submission again. "
        f"We graded a class of {part['size']} once, and then again several times: alternately without any change, and after changing "
        "the points for one test. The table shows the median of the runs, with the lowest and the highest value in parentheses."
    )
    return paragraphs(f"## {PARTS['again']}", words, table(head, rows))


def in_lab(part: dict) -> str:
    rows = []
    for name, times in part["exercises"].items():
        late = statistics.quantiles(times["others"], n=20, method="inclusive")[-1]
        shown = (times["first"], statistics.median(times["others"]), late)
        rows.append([*name.split(" "), *(f"{value:.1f}" for value in shown)])
    words = (
        "How long does a student wait for `check(...)`? We ran each lab in a kernel with the solution's answers, and then called each "
        f"exercise's check {1 + part['repeats']} times. The table shows the first call, then the median and the 95th percentile of the other "
        f"{part['repeats']} calls, in milliseconds."
    )
    head = ["lab", "exercise", "first call", "median", "95th percentile"]
    return paragraphs(f"## {PARTS['check']}", words, table(head, rows))


def made(part: dict) -> str:
    rows = [
        [f"`make {target}`", f"{part[target]['wall']:.0f}", f"{part[target]['cpu']:.0f}"] for target in ("env", "test")
    ]
    return paragraphs(f"## {PARTS['make']}", table(["command", "seconds", "processor seconds"], rows))


SECTIONS = {"scale": by_size, "where": spent, "again": regraded, "check": in_lab, "make": made}


def machines(known: dict) -> str:
    """State when and where each section was measured: a list item for each machine and day."""
    found: dict[tuple[str, str], list[str]] = {}
    for name, part in known.items():
        found.setdefault((part["when"], part["machine"]), []).append(name)
    lines = [f"- **{when}**: {sections(names)}. Measured on {machine}" for (when, machine), names in found.items()]
    return paragraphs("## When and where it was measured", "\n".join(lines))


def sections(names: list[str]) -> str:
    """List the sections of the page that show these parts of the measurements."""
    listed: dict[str, list[str]] = {}
    for kind, _, rest in (name.partition(" ") for name in names):
        title = {"compare": f"A class of {rest}", "lab": "Every lab"}.get(kind) or PARTS[kind]
        listed.setdefault(title, []).extend([rest[:2]] if rest and kind != "compare" else [])
    return ", ".join(
        f'"{title}"{" for labs " * bool(labs)}{", ".join(dict.fromkeys(labs))}' for title, labs in listed.items()
    )


def over(rounds: list[dict], tool: str, what: str) -> list[float]:
    return [each["costs"][tool][what] for each in rounds]


def ratio(rounds: list[dict], tool: str, what: str) -> float:
    """Divide a tool's cost by labkit's in each round, and return the median of these ratios."""
    return statistics.median(a / b for a, b in zip(over(rounds, tool, what), over(rounds, LABKIT, what), strict=True))
