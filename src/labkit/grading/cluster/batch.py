"""The process that judges one batch on a worker's machine: the grader's own executor, with the course that travelled.

A Dask worker may have no children of multiprocessing, and runs tasks in threads that end when they like, so that nothing may
follow the thread that started this. It follows the worker by its standard input, which closes when the worker is gone.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import threading
import time
from pathlib import Path

from labkit.budgets import Budgets
from labkit.course import CourseError
from labkit.grading import worker
from labkit.grading.cluster import version
from labkit.sandbox.faults import MachineFailed

TOLD, JUDGED = "batch.json", "judged.json"
FAREWELL_SECONDS = 20.0  # for ending in order when the worker is gone


def main(folder: Path) -> None:
    """Judge what lies in the folder and leave there what was found. Errors: SystemExit with a line, for the machine's faults."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=_end_with_worker, args=(folder,), daemon=True).start()
    worker.get_ready()
    from labkit.grading.grade import Settings, judged_here
    from labkit.grading.memory import within
    from labkit.intake.choose import Chosen
    from labkit.intake.discover import Entry

    told = json.loads((folder / TOLD).read_text("utf-8"))
    if problem := version.unfit(told["versions"], version.here(), told["unsandboxed"]):
        sys.exit(problem)  # its environment was changed since it was looked at
    settings = Settings(told["jobs"], told["seed"], Budgets(**told["budgets"]))
    queue = {
        key: Chosen("", lab, Entry("", folder / str(number) / f"{lab}.ipynb", lab), digest)
        for number, (key, lab, digest) in enumerate(told["submissions"])
    }
    try:
        found = {"results": [(key, result.stored()) for key, result in judged_here(queue, within(settings, print))]}
    except CourseError as error:
        found = {"course": str(error)}
    except MachineFailed as error:
        sys.exit(str(error))
    (folder / JUDGED).write_text(json.dumps(found), "utf-8")


def _end_with_worker(folder: Path) -> None:
    os.read(sys.stdin.fileno(), 1)  # and no reader of Python's, which would hold up the end
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(FAREWELL_SECONDS)
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]))
    except KeyboardInterrupt:
        shutil.rmtree(sys.argv[1], ignore_errors=True)
        sys.exit("the worker is gone")
