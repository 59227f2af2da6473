"""Measure grading on a cluster, using one machine. Writes grader/docs/many_machines.json and .png, and the end of many_machines.md.

python grader/benchmarks/cluster.py grades a class on Dask workers on this machine, and on the same number of local processes. Then it
simulates many workers, which sleep instead of grading, with the real scheduler and client. With --report-only it only rewrites the page.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from pathlib import Path

import machine
import on_workers
import sleeping
from classroom import ROOT
from tables import paragraphs, table

BEGINNING = "## Measured"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--size", type=int, default=48, help="submissions that the workers grade")
    parser.add_argument("--local", type=int, help="submissions that local processes grade; default: --size")
    parser.add_argument(
        "--kill", action="store_true", help="kill the client once half of the class is graded, then resume"
    )
    parser.add_argument("--machines", type=int, nargs="*", default=[1, 2, 4], help="numbers of grading workers")
    parser.add_argument("--pretended", type=int, nargs="*", default=[1, 4, 16, 64], help="numbers of sleeping workers")
    parser.add_argument("--each", type=int, default=1_600, help="submissions per sleeping worker")
    parser.add_argument("--faster", type=int, default=1, help="divide sleeping times by this number")
    parser.add_argument(
        "--report-only", action="store_true", help="measure nothing, only rewrite the page and the picture"
    )
    given = parser.parse_args()
    record = ROOT / "grader/docs/many_machines.json"
    if not given.report_only:
        before = json.loads(record.read_text("utf-8")) if record.exists() else {}
        record.write_text(json.dumps(together(before, measured(given)), indent=1) + "\n", "utf-8")
    known = json.loads(record.read_text("utf-8"))
    draw(known, record.with_suffix(".png"))
    page = record.with_suffix(".md")
    page.write_text(page.read_text("utf-8").partition(BEGINNING)[0].rstrip() + "\n\n" + text(known), "utf-8")


def together(before: dict, now: dict) -> dict:
    """Add new measurements to earlier ones, replacing those with the same class size or number of workers."""
    for part, key in (("graded", lambda run: (run["submissions"], run["workers"])), ("pretended", load_of)):
        runs = {key(run): run for run in [*before.get(part, ()), *now[part]]}
        now[part] = [runs[known] for known in sorted(runs)]
    return now


def load_of(run: dict) -> int:
    """The number of grading workers that would load the scheduler and the client as much as this run did."""
    return run["workers"] * run.get("faster", 1)


def times_local(run: dict) -> float:
    """Seconds per submission on workers, divided by the mean of the local runs before and after."""
    return (run["cluster"] / run["submissions"]) / (sum(run["local"]) / 2 / run["local_submissions"])


def measured(given: argparse.Namespace) -> dict:
    with tempfile.TemporaryDirectory(prefix="lk-", dir="/tmp") as name:
        folder, local = Path(name), given.local or given.size
        known = {"machine": f"{machine.hardware()}.", "load": os.getloadavg()[0], "graded": [], "pretended": []}
        known["batch"] = on_workers.seconds_of_a_batch(folder)
        on_workers.make_class(folder / f"class-{given.size}", given.size)
        on_workers.make_part(folder, given.size, local)
        where = {"machine": known["machine"]}
        for count in given.machines:
            known["graded"].append(where | on_workers.graded(folder, given.size, local, count, given.kill))
            print(known["graded"][-1], flush=True)
        for count in given.pretended:
            slept = where | sleeping.in_a_process(count, count * given.each, known["batch"], given.faster)
            known["pretended"].append(slept)
            print(slept, flush=True)
        return known


def draw(known: dict, path: Path) -> None:
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    runs = known["pretended"]
    loads = [load_of(run) for run in runs]
    left.plot(loads, [100 * run["efficiency"] for run in runs], "o-", color="#0072B2")
    left.set(ylabel="percent of the workers' time", ylim=(0, 105), title="Efficiency")
    for who, style, color in (("scheduler", "o-", "#0072B2"), ("client", "s--", "#444444")):
        right.plot(loads, [1e3 * run[who] / run["submissions"] for run in runs], style, color=color, label=who)
    right.set(ylabel="processor ms per submission", title="Cost")
    right.set_ylim(bottom=0)
    right.legend(frameon=False)
    for axes in (left, right):
        axes.set(xscale="log", xlabel="equivalent number of workers that grade")
        axes.set_xticks(loads, [str(load) for load in loads])
        axes.minorticks_off()
    figure.savefig(path, dpi=110, metadata={"Software": None})
    plt.close(figure)


def text(known: dict) -> str:
    batch, runs = known["batch"], known["pretended"]
    real = [
        [f"{run['workers']}", f"{run['local_submissions']:,}", *(f"{seconds / run['local_submissions']:.3f}" for seconds in run["local"]), f"{run['local_memory']:.0f}",
         f"{run['submissions']:,}", f"{run['cluster'] / run['submissions']:.3f}", f"{run['memory']:.0f}", f"{times_local(run):.2f}", "yes" if run["same"] else "NO"]
        for run in known["graded"]
    ]  # fmt: skip
    slept = [
        [f"{run['workers']}", f"{run['faster']}", f"{run['submissions']:,}", f"{run['batches']:,}", f"{run['seconds']:.0f}", f"{100 * run['efficiency']:.0f} %",
         f"{1e3 * run['scheduler'] / run['submissions']:.2f}", f"{1e3 * run['client'] / run['submissions']:.2f}", f"{run['memory']:.0f}"]
        for run in runs
    ]  # fmt: skip
    efficiencies = ", ".join(f"{load_of(run)}: {100 * run['efficiency']:.0f} percent" for run in runs)
    return paragraphs(
        f"{BEGINNING}\n\nHow much time does a cluster add, and how many workers can one scheduler keep "
        "busy? `python grader/benchmarks/cluster.py` measured both, wrote this section, and stored the results in "
        "[many_machines.json](many_machines.json). The machines also did other work, and each time was measured only once. So **all figures are rough**.",
        "The first table compares local processes with the same number of single-threaded Dask workers on the same cores. Because the speed of a shared machine "
        "varies, each cluster run came between two local runs, and \"cluster / local\" divides the cluster's time by the mean of the two local times. Each time is that of "
        "the whole command, divided by the number of submissions. Memory is the peak memory of the command's own process.",
        "In a row with fewer local than cluster submissions, the local runs graded only the first students of the cluster's class. There, \"same "
        f"results\" compares only these students. Machine: {known['graded'][-1]['machine']}",
        table(["workers or processes", "local submissions", "first local run, s per submission", "second local run, s per submission", "local memory, MiB", "cluster submissions", "cluster run, s per submission", "cluster memory, MiB", "cluster / local", "same results"], real),
        *(
            f"In the cluster run with {run['submissions']:,} submissions, we killed `labkit grade` after {run['kept']:,} results and started it again with "
            "`--resume`. The time in the table covers both parts."
            for run in known["graded"] if run["kept"]
        ),
        "The second table is a simulation of many workers, with the real scheduler and the real client (the `labkit grade` process) on one machine. "
        "Instead of grading a batch, a simulated worker sleeps for as long as a real worker took: "
        f"{batch['begin']:.1f} s to start, and then {batch['each']:.2f} s for each submission of lab 01. "
        "Where \"times faster\" is 10, a worker sleeps only a tenth of that time, and so puts as much load on the scheduler and the client as ten real "
        "workers.",
        "All simulated workers share one process, without Dask's profiling. Efficiency is the fraction of the run that workers "
        f"spent sleeping. Milliseconds are processor time. Machine: {runs[-1]['machine']}",
        table(["workers", "times faster", "submissions", "batches", "seconds", "efficiency", "scheduler, ms per submission", "client, ms per submission", "client, peak MiB"], slept),
        f"![Left, efficiency by the equivalent number of workers: {efficiencies}. Right, processor milliseconds of the scheduler and of the "
        "client per submission.](many_machines.png)",
    )  # fmt: skip


if __name__ == "__main__":
    main()
