"""The process that grades a worker's batches one after another, using the local executor and the course sent to the worker.

A Dask worker cannot have multiprocessing children, and its task threads may end at any time. So this process depends on the
worker only through their connection, which closes when the worker is gone. It also ends after some idle time, because
workers are not notified when a class is finished.
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

from labkit.grade.batch import worker
from labkit.grade.cluster import version
from labkit.grade.sandbox.faults import MachineFailed
from labkit.student.model.budgets import Budgets
from labkit.student.model.errors import UserError
from labkit.student.model.project import current

IDLE_SECONDS = 10.0  # normally, the next batch arrives before the current one is done
FAREWELL_SECONDS = 20.0  # time to shut down cleanly after the worker is gone


def main(folder: Path, connection: Connection) -> None:
    """Receive the settings, then grade each batch that arrives. When no more arrive, send None and end.

    `folder` is removed if the worker is gone. Errors: SystemExit with a one-line message if this machine cannot grade.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=_end_with_worker, args=(folder, connection), daemon=True).start()
    worker.get_ready(project := current())
    from labkit.grade.batch.local_executor import judges
    from labkit.grade.batch.memory import within
    from labkit.grade.batch.settings import Settings

    options, submissions = connection.recv(), connection.recv()
    if problem := version.unfit(
        options["versions"], version.grading_versions(options["packages"]), options["unsandboxed"]
    ):
        sys.exit(problem)  # the environment has changed since the worker was checked
    wanted = Settings(
        options["jobs"], options["seed"], Budgets(**options["budgets"]), unsandboxed=options["unsandboxed"]
    )
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
    """Return results by key, or the course error. Each submission is a key, lab, digest and path."""
    from labkit.grade.intake.submission import Submission

    queue = {key: Submission("", lab, path, lab, digest=digest) for key, lab, digest, path in submissions}
    try:
        return {"results": [(key, result.stored()) for key, result in judged(queue)]}
    except MachineFailed:
        raise
    except UserError as error:
        return {"course": str(error)}


def _end_with_worker(folder: Path, connection: Connection) -> None:
    hung_up = select.poll()
    hung_up.register(connection, 0)  # no events requested: a hang-up is always reported
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
