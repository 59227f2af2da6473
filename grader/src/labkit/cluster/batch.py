"""The process that judges a worker's batches, one after another: the grader's own, with the course that travelled.

A Dask worker may have no children of multiprocessing, and runs tasks in threads that end when they like, so that nothing may
follow the thread that started this. It follows the worker by the connection between them, which closes when the worker is
gone; and it leaves when there was nothing to do for a while, since no worker is told that a class is graded.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

from labkit.cluster import version
from labkit.grading import worker
from labkit.model.budgets import Budgets
from labkit.model.course import CourseError
from labkit.model.project import current
from labkit.sandbox.faults import MachineFailed

IDLE_SECONDS = 10.0  # the next batch is with the worker before this one is done, where there is one
FAREWELL_SECONDS = 20.0  # for ending in order when the worker is gone


def main(folder: Path, connection: Connection) -> None:
    """Judge what comes over the connection, batch by batch, and say None before leaving. First comes what holds for all.

    The folder goes with the worker. Errors: SystemExit with a line, for the machine's faults.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=_end_with_worker, args=(folder, connection), daemon=True).start()
    worker.get_ready(project := current())
    from labkit.grading.local_executor import judges
    from labkit.grading.memory import within
    from labkit.grading.settings import Settings

    told, submissions = connection.recv(), connection.recv()
    if problem := version.unfit(told["versions"], version.of_a_judge(told["packages"]), told["unsandboxed"]):
        sys.exit(problem)  # its environment was changed since it was looked at
    wanted = Settings(told["jobs"], told["seed"], Budgets(**told["budgets"]), unsandboxed=told["unsandboxed"])
    settings = within(wanted, print)
    try:
        with judges(project, submissions[0][1], settings) as judged:
            while submissions:
                connection.send(_found(judged, submissions))
                submissions = connection.poll(IDLE_SECONDS) and connection.recv()
            connection.send(None)
    except MachineFailed as error:
        sys.exit(str(error))


def _found(judged: Callable, submissions: list[tuple[str, str, str, Path]]) -> dict:
    """Results by key, or what is wrong with the course, of submissions by key, lab, digest and path."""
    from labkit.intake.submission import Submission

    queue = {key: Submission("", lab, path, lab, digest=digest) for key, lab, digest, path in submissions}
    try:
        return {"results": [(key, result.stored()) for key, result in judged(queue)]}
    except CourseError as error:
        return {"course": str(error)}


def _end_with_worker(folder: Path, connection: Connection) -> None:
    hung_up = select.poll()
    hung_up.register(connection, 0)  # for nothing but its end, which is always told
    hung_up.poll()
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(FAREWELL_SECONDS)
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)


if __name__ == "__main__":
    os.set_inheritable(int(sys.argv[2]), False)
    try:
        main(Path(sys.argv[1]), Connection(int(sys.argv[2])))
    except (KeyboardInterrupt, EOFError, BrokenPipeError):
        shutil.rmtree(sys.argv[1], ignore_errors=True)
        sys.exit("the worker is gone")
