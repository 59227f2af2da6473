"""Many machines, as far as one can say it: docs/many_machines.json, its .png, and the last part of its .md.

python benchmarks/cluster.py grades a class on workers of this machine and with as many processes, and then lets many workers
sleep for as long as judging took, with the real scheduler and the real client. With --report-only it writes the page again.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import machine
from classroom import LAB, ROOT, answers, filled, read, students
from tables import paragraphs, table

sys.path[:0] = [str(ROOT / "tests/labkit")]
from dask_cluster import Cluster  # noqa: E402

from labkit.grading.cluster import parcel, remote, version  # noqa: E402
from labkit.grading.cluster.connection import connected  # noqa: E402
from labkit.grading.cluster.executor import OnWorkers  # noqa: E402
from labkit.grading.settings import Settings  # noqa: E402
from labkit.intake.choose import Chosen, digest_of  # noqa: E402
from labkit.intake.discover import Entry  # noqa: E402

LABKIT = Path(sys.executable).with_name("labkit")
BEGINNING = "## Measured"
HOSTS = """
import asyncio, sys
from distributed import Worker

async def main(address, place, count):
    workers = [Worker(address, nthreads=1, local_directory=place, dashboard=False) for _ in range(count)]
    await asyncio.gather(*workers)
    await asyncio.gather(*(worker.finished() for worker in workers))

asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--size", type=int, default=48, help="submissions of the class that is graded")
    parser.add_argument("--machines", type=int, nargs="*", default=[1, 2, 4], help="workers that grade it")
    parser.add_argument("--pretended", type=int, nargs="*", default=[1, 4, 16, 64], help="workers that sleep")
    parser.add_argument("--each", type=int, default=1_600, help="submissions for each of these")
    parser.add_argument("--faster", type=int, default=1, help="how many times faster than they would judge these sleep")
    parser.add_argument(
        "--report-only", action="store_true", help="measure nothing; write the page and the picture again"
    )
    given = parser.parse_args()
    record = ROOT / "docs/many_machines.json"
    if not given.report_only:
        before = json.loads(record.read_text("utf-8")) if record.exists() else {}
        record.write_text(json.dumps(together(before, measured(given)), indent=1) + "\n", "utf-8")
    known = json.loads(record.read_text("utf-8"))
    draw(known, record.with_suffix(".png"))
    page = record.with_suffix(".md")
    page.write_text(page.read_text("utf-8").partition(BEGINNING)[0].rstrip() + "\n\n" + text(known), "utf-8")


def together(before: dict, now: dict) -> dict:
    """What was measured now, and before it with other numbers of workers."""
    for part in ("graded", "pretended"):
        runs = {load_of(run): run for run in [*before.get(part, ()), *now[part]]}
        now[part] = [runs[load] for load in sorted(runs)]
    return now


def load_of(run: dict) -> int:
    """How many workers that judge would give the scheduler and the client as much to do."""
    return run["workers"] * run.get("faster", 1)


def measured(given: argparse.Namespace) -> dict:
    with tempfile.TemporaryDirectory(prefix="lk-", dir="/tmp") as name:
        folder = Path(name)
        known = {"machine": f"{machine.hardware()}.", "load": os.getloadavg()[0], "batch": seconds_of_a_batch(folder)}
        notebook = read("labs")
        for student, right in students(given.size).items():
            path = folder / "class" / student / f"{LAB}.ipynb"
            path.parent.mkdir(parents=True)
            path.write_text(filled(notebook, answers(student, right)))
        known["graded"] = [graded(folder, given.size, count) for count in given.machines]
        # Each in a process of its own, whose memory is the client's.
        known["pretended"] = []
        for count in given.pretended:
            told = json.dumps([count, count * given.each, known["batch"], given.faster])
            command = [sys.executable, "-c", f"import cluster; cluster.tell({told!r})"]
            done = subprocess.run(command, cwd=ROOT / "benchmarks", capture_output=True, text=True, timeout=1_200)
            if done.returncode:
                raise RuntimeError(done.stderr)
            known["pretended"].append(json.loads(done.stdout.splitlines()[-1]))
            print(known["pretended"][-1], flush=True)
        return known


def handed_in() -> bytes:
    return filled(read("labs"), answers("student", right=True)).encode()


def seconds_of_a_batch(folder: Path, more: int = 24) -> dict:
    """How long it takes to begin a batch, and for each submission in it, by the clock, one at once."""
    course, content = parcel.unpack(parcel.pack(), folder), handed_in()
    told = {"seed": 1, "budgets": {}, "versions": version.here(), "unsandboxed": False, "jobs": 1}
    spent = []
    for size in (1, 1 + more):
        sent = [(str(number), LAB, digest_of(content), content) for number in range(size)]
        with remote.laid_out(folder, sent, told) as place:
            began = time.monotonic()
            found = remote.finish(remote.begin(place, course), place)
            spent.append(time.monotonic() - began)
    each = (spent[1] - spent[0]) / more
    return {"begin": spent[0] - each, "each": each, "stored": found["results"][0][1]}


def graded(folder: Path, size: int, count: int) -> dict:
    """Seconds of a whole `labkit grade`, with so many processes of this machine and with so many workers."""
    command = [LABKIT, "grade", folder / "class", "--seed", "1", "--jobs", str(count), "--course", ROOT]
    began = time.monotonic()
    subprocess.run([*command, "--out", folder / f"local-{count}"], check=True, capture_output=True, timeout=900)
    here = time.monotonic() - began
    place = folder / f"cluster-{count}"
    place.mkdir()
    with Cluster(place) as cluster:
        for _ in range(count):
            cluster.worker("--no-nanny")
        with connected(cluster.address) as client:
            client.wait_for_workers(count, timeout=120)
        began = time.monotonic()
        more = ["--out", place / "out", "--cluster", cluster.address]
        subprocess.run([*command, *more], check=True, capture_output=True, timeout=900)
        there = time.monotonic() - began
    same = (place / "out/results.json").read_bytes() == (folder / f"local-{count}/results.json").read_bytes()
    found = {"workers": count, "submissions": size, "local": here, "cluster": there, "same": same}
    print(found, flush=True)
    return found


def tell(told: str) -> None:
    print(json.dumps(pretended(*json.loads(told))))


class Sleeping(OnWorkers):
    """The real client, whose workers sleep instead of judging."""

    REMOTE = "cluster"  # this file
    seconds: dict
    batches_sent = 0

    def _submit(self, address, batch, call, **given):
        if batch:
            self.batches_sent += 1
            given["told"] |= {"seconds": self.seconds}
        super()._submit(address, batch, call, **given)


look = remote.look


def judge(packed: bytes, submissions: list, told: dict) -> dict:
    seconds = told["seconds"]
    time.sleep((seconds["begin"] + seconds["each"] * len(submissions)) / seconds["faster"])
    return {"results": [(key, seconds["stored"]) for key, *_ in submissions]}


def pretended(count: int, size: int, seconds: dict, faster: int) -> dict:
    """A class of so many submissions on so many workers that sleep, all on this machine."""
    import psutil

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    with tempfile.TemporaryDirectory(prefix="lk-", dir="/tmp") as name, Cluster(Path(name)) as cluster:
        path = Path(name, f"{LAB}.ipynb")
        path.write_bytes(handed_in())
        chosen = Chosen("", LAB, Entry("", path, path.name), digest_of(path.read_bytes()))
        queue = {f"{number:064x}": chosen for number in range(size)}
        environment = {**cluster.environment, "PYTHONPATH": str(ROOT / "benchmarks")}
        command = [sys.executable, "-c", HOSTS, cluster.address, name, str(count)]
        host = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            with connected(cluster.address) as client:
                client.wait_for_workers(count, timeout=120)
                executor = Sleeping(client, cluster.address, True, print)
                executor.seconds = {**seconds, "faster": faster}
                scheduler = psutil.Process(cluster.scheduler.pid)
                spent, own, began = sum(scheduler.cpu_times()[:2]), time.process_time(), time.monotonic()
                rows = sum(1 for _ in executor(queue, Settings()))
                wall, own = time.monotonic() - began, time.process_time() - own
                spent = sum(scheduler.cpu_times()[:2]) - spent
        finally:
            host.kill()
            host.wait(60)
    work = (executor.batches_sent * seconds["begin"] + rows * seconds["each"]) / faster
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "workers": count, "faster": faster, "submissions": rows, "batches": executor.batches_sent, "seconds": wall, "efficiency": work / count / wall,
        "scheduler": spent, "client": own, "memory": peak, "memory_before": before,
    }  # fmt: skip


def draw(known: dict, path: Path) -> None:
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    runs = known["pretended"]
    loads = [load_of(run) for run in runs]
    left.plot(loads, [100 * run["efficiency"] for run in runs], "o-", color="#0072B2")
    left.set(ylabel="percent of their time", ylim=(0, 105), title="Efficiency")
    for who, style, color in (("scheduler", "o-", "#0072B2"), ("client", "s--", "#444444")):
        right.plot(loads, [1e3 * run[who] / run["submissions"] for run in runs], style, color=color, label=who)
    right.set(ylabel="processor ms for each submission", title="What it costs")
    right.set_ylim(bottom=0)
    right.legend(frameon=False)
    for axes in (left, right):
        axes.set(xscale="log", xlabel="workers that judge, of which this is the load")
        axes.set_xticks(loads, [str(load) for load in loads])
        axes.minorticks_off()
    figure.savefig(path, dpi=110, metadata={"Software": None})
    plt.close(figure)


def text(known: dict) -> str:
    batch, runs = known["batch"], known["pretended"]
    real = [
        [
            f"{run['workers']}",
            f"{run['submissions']}",
            f"{run['local']:.0f}",
            f"{run['cluster']:.0f}",
            "yes" if run["same"] else "NO",
        ]
        for run in known["graded"]
    ]
    slept = [
        [f"{run['workers']}", f"{run['faster']}", f"{run['submissions']:,}", f"{run['batches']:,}", f"{run['seconds']:.0f}", f"{100 * run['efficiency']:.0f} %",
         f"{1e3 * run['scheduler'] / run['submissions']:.2f}", f"{1e3 * run['client'] / run['submissions']:.2f}", f"{run['memory']:.0f}"]
        for run in runs
    ]  # fmt: skip
    efficiencies = ", ".join(f"{load_of(run)}: {100 * run['efficiency']:.0f} percent" for run in runs)
    return paragraphs(
        f"{BEGINNING}\n\n`python benchmarks/cluster.py` made this part, and keeps what it measured in [many_machines.json](many_machines.json). "
        f"{known['machine']} The load average was {known['load']:.1f} when it began. The machine is shared and each time was taken once, so **all "
        "are rough**.",
        f"To begin a batch took {batch['begin']:.1f} s, and each submission of lab 01 in it {batch['each']:.2f} s. The same class on this "
        "machine's processes and on as many workers of one thread, beside each other on the same cores, in seconds of the whole command:",
        table(["workers or processes", "submissions", "local", "cluster", "same results.json"], real),
        "Then workers that sleep for as long as such a batch takes, or so many times faster, with the real scheduler and the real client, all on "
        "this machine. Efficiency is what they slept, by what they could have. Workers that sleep ten times faster give the scheduler and the "
        "client as much to do in a second as ten times as many that judge:",
        table(["workers", "times faster", "submissions", "batches", "seconds", "efficiency", "scheduler, ms each", "client, ms each", "client, MiB at most"], slept),
        f"![Left, efficiency by the number of workers whose load it is: {efficiencies}. Right, processor milliseconds of the scheduler and of the "
        "client for each submission.](many_machines.png)",
    )  # fmt: skip


if __name__ == "__main__":
    main()
