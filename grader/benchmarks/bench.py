"""Measure the time and cost of grading, for labkit alone and compared with other tools and with lower bounds (floors).

python grader/benchmarks/bench.py [PART ...] measures these parts (default: all), and rewrites the report from all measurements.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from datetime import date
from itertools import product, zip_longest
from pathlib import Path

import in_lab
import machine
import making
import peers
import plot
import report
import scaling
from again import again
from classroom import LAB, LABS, ROOT
from compare import compare
from where import where

PARTS = {
    "compare": "for each --size, all tools on a class of lab 01, and labkit and nbval on a class of every other --lab",
    "scale": "labkit by class size",
    "where": "a breakdown of labkit's processor time, for each --lab",
    "again": "labkit on a class that it has graded before",
    "check": "each exercise's check in a warm lab",
    "make": "make env and make test in a fresh clone",
}


def main() -> None:
    given = arguments()
    place = Path(given.into)
    place.mkdir(parents=True, exist_ok=True)
    if not given.report_only:
        for part in given.parts or PARTS:
            measured(part, given, place / "benchmarks.json")
    known = json.loads((place / "benchmarks.json").read_text("utf-8"))
    plot.draw(known, place / "benchmarks.svg")
    plot.draw_labs(known, place / "benchmarks_labs.svg")
    (place / "benchmarks.md").write_text(report.text(known), "utf-8")
    print(place / "benchmarks.md")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    what = "; ".join(f"{part}: {meaning}" for part, meaning in PARTS.items())
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"what to measure; default: all ({what})")
    parser.add_argument("--lab", nargs="+", default=[name[:2] for name in LABS], help="lab numbers")
    parser.add_argument("--size", type=int, nargs="+", default=[20, 200], help="class sizes for the comparison")
    parser.add_argument(
        "--rounds", type=int, nargs="+", default=[5, 1], help="rounds for each size; the last number is repeated"
    )
    parser.add_argument("--leave-out", nargs="+", default=[], metavar="TOOL", help="tools not to compare")
    parser.add_argument("--scale", type=int, nargs="+", default=[20, 200, 2000], help="class sizes for labkit alone")
    parser.add_argument("--where", type=int, default=200, help="class size for the breakdown of processor time")
    parser.add_argument("--again", type=int, default=200, help="size of the class that is graded again")
    parser.add_argument("--repeats", type=int, default=40, help="how often each check is run")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="submissions that labkit grades at once")
    parser.add_argument("--into", default=ROOT / "grader/docs", help="folder for benchmarks.json, .md and .svg")
    parser.add_argument("--report-only", action="store_true", help="measure nothing, only rewrite the report")
    given = parser.parse_args()
    given.labs = [name for name in LABS if name[:2] in given.lab]
    if unknown := set(given.lab) - {name[:2] for name in LABS}:
        parser.error(f"there is no lab {', '.join(sorted(unknown))}; there are {', '.join(name[:2] for name in LABS)}")
    if unknown := set(given.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    return given


def measured(part: str, given: argparse.Namespace, record: Path) -> None:
    """Measure a part and store it immediately, so that a later failure does not lose it."""
    if part == "compare" and LAB in given.labs:
        peers.install()
    with tempfile.TemporaryDirectory(prefix="labkit-bench-") as name:
        place = Path(name)
        match part:
            case "compare":
                turns = [*zip_longest(given.size, given.rounds[: len(given.size)], fillvalue=given.rounds[-1])]
                for lab, (size, rounds) in product(given.labs, turns):
                    found = compare(place / f"{lab}-{size}", size, rounds, given.jobs, given.leave_out, lab)
                    keep(record, f"compare {size}" if lab == LAB else f"lab {lab} {size}", found)
            case "scale":
                keep(record, part, scaling.by_size(place, given.scale, given.jobs))
            case "where":
                for lab in given.labs:
                    found = where(place / lab, given.where, given.jobs, lab)
                    keep(record, part if lab == LAB else f"{part} {lab}", found)
            case "again":
                keep(record, part, again(place, given.again, 3, given.jobs))
            case "check":
                keep(record, part, in_lab.checks(given.repeats))
            case "make":
                keep(record, part, making.make(place))


def keep(record: Path, name: str, found: dict) -> None:
    """Store a part on its own line of the file, so that the lines of other parts stay unchanged."""
    known = json.loads(record.read_text("utf-8")) if record.exists() else {}
    known[name] = {"machine": machine.describe(), "when": date.today().isoformat(), **found}
    lines = [f"{json.dumps(name)}: {json.dumps(part, ensure_ascii=False)}" for name, part in sorted(known.items())]
    record.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


if __name__ == "__main__":
    main()
