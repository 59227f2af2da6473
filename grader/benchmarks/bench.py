"""Measure how long labkit and other graders take for the same class.

python grader/benchmarks/bench.py [PART ...] measures these parts (default: compare), and rewrites grader/docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from datetime import date
from itertools import zip_longest
from pathlib import Path

import in_lab
import machine
import peers
import report
from classroom import LAB, LABS, ROOT
from compare import compare, every_lab
from where import in_kernels, where

PARTS = {
    "compare": "for each --size, all tools on a class of lab 01",
    "labs": "for each --lab, labkit and the floor of its tests on 200 submissions, labkit and nbval on 20; as often as --minutes allow",
    "first": "labkit's first result, and the start of a stock kernel with lab 01's first cell",
    "where": "which processes labkit's time goes to, for each --lab",
    "kernels": "what kernels spend it on, for each --lab",
    "check": "each exercise's check in a warm lab",
}


def main() -> None:
    given = arguments()
    place = Path(given.into)
    place.mkdir(parents=True, exist_ok=True)
    if not given.report_only:
        for part in given.parts or ["compare"]:
            measured(part, given, place / "benchmarks.json")
    known = json.loads((place / "benchmarks.json").read_text("utf-8"))
    (place / "benchmarks.md").write_text(report.page(known), "utf-8")
    if given.all:
        given.all.write_text(report.everything(known), "utf-8")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    what = "; ".join(f"{part}: {meaning}" for part, meaning in PARTS.items())
    numbers = [name[:2] for name in LABS]
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"what to measure ({what})")
    parser.add_argument("--lab", nargs="+", default=numbers, choices=numbers, help="lab numbers")
    parser.add_argument("--size", type=int, nargs="+", default=[20, 200], help="class sizes")
    parser.add_argument(
        "--rounds", type=int, nargs="+", default=[3, 1], help="rounds for each size; the last number is repeated"
    )
    parser.add_argument("--leave-out", nargs="+", default=[], metavar="TOOL", help="tools not to compare")
    parser.add_argument(
        "--minutes", type=float, default=8.5, help="time for the part labs, which is measured up to 3 times"
    )
    parser.add_argument("--repeats", type=int, default=40, help="how often each check is run")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="submissions that labkit grades at once")
    parser.add_argument("--into", default=ROOT / "grader/docs", help="folder for benchmarks.json and benchmarks.md")
    parser.add_argument("--all", type=Path, metavar="FILE", help="also write the long tables to this file")
    parser.add_argument("--report-only", action="store_true", help="measure nothing, only rewrite the page")
    given = parser.parse_args()
    if unknown := set(given.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    given.labs = [name for name in LABS if name[:2] in given.lab]
    return given


def measured(part: str, given: argparse.Namespace, record: Path) -> None:
    """Measure a part and store it immediately, so that a later failure does not lose it."""
    if part == "compare":
        peers.install()
    with tempfile.TemporaryDirectory(prefix="labkit-bench-") as name:
        place = Path(name)
        match part:
            case "compare":
                turns = [*zip_longest(given.size, given.rounds[: len(given.size)], fillvalue=given.rounds[-1])]
                for size, rounds in turns:
                    found = compare(place / str(size), size, rounds, given.jobs, given.leave_out)
                    keep(record, f"compare {size}", found)
            case "labs":
                for lab, size, found in every_lab(place, given.labs, given.jobs, 60 * given.minutes):
                    keep(record, f"lab {lab} {size}", found)
            case "first":
                turns = [in_lab.first(place / str(turn), LAB, given.jobs) for turn in range(given.rounds[0])]
                keep(record, part, {"rounds": turns})
            case "where":
                for lab in given.labs:
                    keep(record, f"where {lab}", where(place / lab, max(given.size), given.jobs, lab))
            case "kernels":
                for lab in given.labs:
                    keep(record, f"kernels {lab}", in_kernels(place / f"kernels {lab}", min(given.size), lab))
            case "check":
                keep(record, part, in_lab.checks(given.repeats))


def keep(record: Path, name: str, found: dict) -> None:
    """Store a part on its own line of the file, so that the lines of other parts stay unchanged."""
    known = json.loads(record.read_text("utf-8")) if record.exists() else {}
    known[name] = {"machine": machine.describe(), "when": date.today().isoformat(), **found}
    write(record, known)


def write(record: Path, known: dict) -> None:
    lines = [f"{json.dumps(name)}: {json.dumps(part, ensure_ascii=False)}" for name, part in sorted(known.items())]
    record.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


if __name__ == "__main__":
    main()
