"""Measure the speed and accuracy of several ways to build the table. Writes docs/precision_and_cost.md, .json and .png.

python docs/precision_and_cost.py measures and writes all three. With --report-only it measures nothing and only rewrites the page and
the picture.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "grader/benchmarks"))

import machine
import numpy as np
from builds import DOUBLING, FILL, LOCKED, error, ways
from classroom import ROOT
from tables import paragraphs, table

SIZES = ((64, 32), (512, 64), (2_048, 128), (8_192, 512), (131_072, 512))
LEAST_SECONDS = 0.01  # per timing; a faster call is repeated
HEAD = """# Precision and cost

How fast can you build the table of sinusoidal positional encodings in NumPy, and how accurate is the result? Each method builds a
float32 table with `T` rows and `d` columns, of size (T, d).

| method | how it builds the table |
| --- | --- |
| fill the memory | not at all, for comparison: an array full of ones is the least that any method has to write |
| doubling | as in [lab 07](../solutions/07_precision_and_cost.ipynb): each step rotates the rows built so far to get as many new rows. It writes all rows into a single array, not in blocks |
| locked formula | with the course's own `sinusoidal_pe`, which computes every step in float32 |
| float32, exp and log | as in many tutorials: with frequencies from `exp` and `log`, and every step in float32 |
| float64 angles | with the formula in float64, rounding only the entries to float32 |
| float64, an angle for every column | the same, but with an angle for every column instead of every pair of columns |
| loops over entries | entry by entry, in Python loops (only for tables of at most 300,000 entries) |

The methods are in `docs/builds.py`. `python docs/precision_and_cost.py` makes this page: it measures them, and stores the times in
[precision_and_cost.json](precision_and_cost.json)."""
PICTURE = "Two charts with a line for each method: the times and the errors of the tables below, against the number of entries."
COST = """Processor time in a single thread, divided by the number of entries: the median of several rounds, in each of which every method is timed
once, after an untimed call."""
RATIOS = """We divide two methods' times within each round, and take the median."""
ERRORS = """The error of a table is the largest difference between an entry and the formula in float64. With float32 angles, the error grows with
the number of positions. With float64 angles, it doesn't grow, because only the entries are rounded."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9, help="rounds for each size; a third of that for the largest")
    parser.add_argument(
        "--into", type=Path, default=ROOT / "docs", help="folder for precision_and_cost.json, .md and .png"
    )
    parser.add_argument(
        "--report-only", action="store_true", help="measure nothing, only rewrite the page and the picture"
    )
    given = parser.parse_args()
    record = given.into / "precision_and_cost.json"
    if not given.report_only:
        record.write_text(json.dumps(measured(given.rounds), indent=1) + "\n", "utf-8")
    known = json.loads(record.read_text("utf-8"))
    draw(known, record.with_suffix(".png"))
    record.with_suffix(".md").write_text(text(known), "utf-8")
    print(record.with_suffix(".md"))


def measured(rounds: int) -> dict:
    sizes = []
    for T, d in SIZES:
        builds = ways(T * d)
        load, count = round(os.getloadavg()[0], 2), max(3, rounds // 3) if (T, d) == SIZES[-1] else rounds
        seconds = [{name: timed(build, T, d) for name, build in builds.items()} for _ in range(count)]
        errors = {name: error(build, T, d) for name, build in builds.items() if name != FILL}
        sizes.append({"T": T, "d": d, "load": load, "rounds": seconds, "errors": errors})
        print(f"({T}, {d})", flush=True)
    return {"machine": f"{machine.hardware()}, NumPy {np.__version__}.", "sizes": sizes}


def timed(build, T: int, d: int) -> float:
    """Measure the processor seconds of one warm call."""
    build(T, d)
    calls = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < LEAST_SECONDS or not calls:
        build(T, d)
        calls += 1
    return spent / calls


def nanoseconds(size: dict, way: str) -> float:
    """Nanoseconds per entry: the median over all rounds."""
    return 1e9 * statistics.median(each[way] for each in size["rounds"]) / (size["T"] * size["d"])


def ratio(size: dict, way: str, other: str) -> float:
    return statistics.median(each[way] / each[other] for each in size["rounds"])


def name_of(size: dict) -> str:
    return f"({size['T']:,}, {size['d']})"


def text(known: dict) -> str:
    sizes = known["sizes"]
    names = list(sizes[0]["rounds"][0])
    head = ["method", *map(name_of, sizes)]
    cost = [
        [way, *(f"{nanoseconds(size, way):.2f}" if way in size["rounds"][0] else "" for size in sizes)] for way in names
    ]
    wrong = [
        [way, *(f"{size['errors'][way]:.1e}" if way in size["errors"] else "" for size in sizes)]
        for way in names
        if way != FILL
    ]
    largest = sizes[-1]
    reached = (
        f"For large tables, doubling is the fastest method: at size {name_of(largest)}, the locked formula takes "
        f"{ratio(largest, LOCKED, DOUBLING):.1f} times as long. Doubling takes {ratio(largest, DOUBLING, FILL):.1f} times as long as filling the "
        "memory, because most of its time is spent writing a table that is larger than the caches. The locked formula would be slower "
        "if NumPy didn't compute several sines at a time. For the smallest tables, the locked formula is faster, because "
        "every step of doubling costs a few NumPy calls, however few the rows are."
    )
    doubled = (
        f"With doubling, the error is at most {max(size['errors'][DOUBLING] for size in sizes):.1e} at these sizes, because doubling also computes "
        "the angles of its rotations in float64."
    )
    ratios = [
        ["doubling / filling the memory", *(f"{ratio(size, DOUBLING, FILL):.1f}" for size in sizes)],
        ["locked formula / doubling", *(f"{ratio(size, LOCKED, DOUBLING):.1f}" for size in sizes)],
        ["locked formula / filling the memory", *(f"{ratio(size, LOCKED, FILL):.1f}" for size in sizes)],
    ]
    rounds, loads = ([size[key] for size in sizes] for key in ("rounds", "load"))
    runs = f"{len(rounds[0])} rounds, {len(rounds[-1])} at the largest size, at load averages from {min(loads):g} to {max(loads):g}."
    return paragraphs(
        HEAD,
        f"![{PICTURE}](precision_and_cost.png)",
        "## Nanoseconds per entry",
        COST,
        table(head, cost),
        "## Ratios",
        RATIOS,
        table(["", *map(name_of, sizes)], ratios),
        reached,
        "## Largest error",
        f"{ERRORS} {doubled}",
        table(head, wrong),
        "## The machine",
        f"{known['machine']} {runs}",
    )


def draw(known: dict, path: Path) -> None:
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    from labkit.student.notebook.figures import use_style

    use_style()
    figure, (cost, wrong) = plt.subplots(1, 2, figsize=(11, 4.6))
    names = list(dict.fromkeys(way for size in known["sizes"] for way in size["rounds"][0]))
    marks = dict(zip(names, "so^vD*P"))
    for way, mark in marks.items():
        sizes = [size for size in known["sizes"] if way in size["rounds"][0]]
        entries = [size["T"] * size["d"] for size in sizes]
        style = {"marker": mark, "label": way, "color": "0.4" if way == FILL else None}
        (line,) = cost.plot(entries, [nanoseconds(size, way) for size in sizes], **style)
        if way != FILL:
            wrong.plot(entries, [size["errors"][way] for size in sizes], **{**style, "color": line.get_color()})
    cost.set(xscale="log", yscale="log", xlabel="entries, T·d", ylabel="nanoseconds per entry")
    cost.set_title("Cost of an entry")
    wrong.set(xscale="log", yscale="log", xlabel="entries, T·d", ylabel="largest error of an entry")
    wrong.set_title("Error of the worst entry")
    figure.legend(*cost.get_legend_handles_labels(), loc="outside lower center", ncols=4)
    figure.savefig(path, dpi=160, metadata={"Software": None})
    plt.close(figure)


if __name__ == "__main__":
    main()
