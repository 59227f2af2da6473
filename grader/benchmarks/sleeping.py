"""Run a cluster with the real scheduler and client, but with workers that sleep for the time that grading would take."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from classroom import LAB, ROOT, answers, filled, read
from distributed import get_worker

sys.path[:0] = [str(ROOT / "grader/tests/labkit")]
from dask_cluster import Cluster  # noqa: E402

from labkit.grade.batch.settings import Settings  # noqa: E402
from labkit.grade.cluster import remote  # noqa: E402
from labkit.grade.cluster.connection import connected  # noqa: E402
from labkit.grade.cluster.executor import OnWorkers  # noqa: E402
from labkit.grade.intake.choose import digest_of  # noqa: E402
from labkit.grade.intake.submission import Submission  # noqa: E402
from labkit.student.model import project  # noqa: E402

HOSTS = """
import asyncio, sys
from distributed import Worker

async def main(address, place, count):
    workers = [Worker(address, nthreads=1, local_directory=place, dashboard=False) for _ in range(count)]
    await asyncio.gather(*workers)
    await asyncio.gather(*(worker.finished() for worker in workers))

asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
"""
# Dask profiles each worker a hundred times a second, which slowed a run by 17 % because all workers share one process.
UNWATCHED = {"DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False"}


def handed_in() -> bytes:
    return filled(read("labs"), answers("student", right=True)).encode()


class Sleeping(OnWorkers):
    """The real client, with workers that sleep instead of grading."""

    REMOTE = "sleeping"  # the module of this file
    seconds: dict
    batches_sent = 0

    def _submit(self, address, batch, call, **given):
        if batch:
            self.batches_sent += 1
            given["options"] |= {"seconds": self.seconds}
        super()._submit(address, batch, call, **given)


report_versions = remote.report_versions
_begun: set[str] = set()  # workers in this process that have started


def judge(packed: bytes, submissions: list, options: dict) -> dict:
    seconds, worker = options["seconds"], get_worker().address
    begin = 0 if worker in _begun else seconds["begin"]
    _begun.add(worker)
    time.sleep((begin + seconds["each"] * len(submissions)) / seconds["faster"])
    return {"results": [(key, seconds["stored"]) for key, *_ in submissions]}


def in_a_process(count: int, size: int, seconds: dict, faster: int) -> dict:
    """Run `pretended` in a separate process, so that the process's peak memory is the client's."""
    arguments = json.dumps([count, size, seconds, faster])
    command = [sys.executable, __file__, arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1_200)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def pretended(count: int, size: int, seconds: dict, faster: int) -> dict:
    """Simulate a class of `size` submissions on `count` sleeping workers, all on this machine."""
    import psutil

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    with tempfile.TemporaryDirectory(prefix="lk-", dir="/tmp") as name, Cluster(Path(name)) as cluster:
        path = Path(name, f"{LAB}.ipynb")
        path.write_bytes(handed_in())
        submission = Submission("", LAB, path, path.name, digest=digest_of(path.read_bytes()))
        queue = {f"{number:064x}": submission for number in range(size)}
        environment = {**cluster.environment, **UNWATCHED, "PYTHONPATH": str(ROOT / "grader/benchmarks")}
        command = [sys.executable, "-c", HOSTS, cluster.address, name, str(count)]
        host = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            with connected(cluster.address) as client:
                client.wait_for_workers(count, timeout=120)
                executor = Sleeping(project.current(), client, cluster.address, True, print)
                executor.seconds = {**seconds, "faster": faster}
                scheduler = psutil.Process(cluster.scheduler.pid)
                spent, own, began = sum(scheduler.cpu_times()[:2]), time.process_time(), time.monotonic()
                rows = sum(1 for _ in executor(queue, Settings()))
                wall, own = time.monotonic() - began, time.process_time() - own
                spent = sum(scheduler.cpu_times()[:2]) - spent
        finally:
            host.kill()
            host.wait(60)
    work = (count * seconds["begin"] + rows * seconds["each"]) / faster
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "workers": count, "faster": faster, "submissions": rows, "batches": executor.batches_sent, "seconds": wall, "efficiency": work / count / wall,
        "scheduler": spent, "client": own, "memory": peak, "memory_before": before,
    }  # fmt: skip


if __name__ == "__main__":
    print(json.dumps(pretended(*json.loads(sys.argv[1]))))
