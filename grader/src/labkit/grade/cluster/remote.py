"""Tasks of a Dask worker: report its versions, and grade a batch in a separate process, which is kept for the next batch.

The process uses the local executor and the course sent to the worker. A Dask worker cannot have multiprocessing children, and
its task threads may end at any time. So the process depends on the worker only through their connection, which closes when the
worker is gone. It also ends after some idle time, because workers are not notified when a class is finished.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path

from labkit.grade.batch import worker
from labkit.grade.cluster import requirements
from labkit.grade.sandbox.faults import MachineFailed
from labkit.student.model.budgets import Budgets
from labkit.student.model.errors import UserError
from labkit.student.model.project import VARIABLE, current

OUTPUT = "output.txt"
IDLE_SECONDS = 10.0  # normally, the next batch arrives before the current one is done
FAREWELL_SECONDS = 20.0  # time to shut down cleanly after the worker is gone
Sent = tuple[str, str, str, bytes]  # a submission: its key, lab, digest and bytes
_one_at_a_time = threading.Lock()  # a batch uses all threads of the worker


def judge(packed: bytes, submissions: Sequence[Sent], options: Mapping[str, object]) -> dict:
    """Grade a batch; return results by key, or the course error. Errors: RuntimeError or OSError if grading itself failed."""
    from distributed import get_worker  # the process that grades needs none of it

    here = get_worker()
    with _one_at_a_time:
        place = Path(here.local_directory).absolute()
        course = requirements.unpack(packed, place)
        return judge_in(place, course, submissions, {**options, "jobs": here.state.nthreads})


def judge_in(place: Path, course: Path, submissions: Sequence[Sent], options: Mapping[str, object]) -> dict:
    """Grade in the process that graded the last batch if it still runs with the same settings, otherwise in a new one."""
    global _judge
    for _ in range(2):
        if _judge is None or _judge.given != (place, course, options):
            end_judge()
            _judge = Judge(place, course, options)
        try:
            found = _judge.judge(submissions)
        except BaseException:
            end_judge()
            raise
        if found is not None:
            return found
        end_judge()  # it ended after being idle
    raise RuntimeError("the grading process ended before it got its first batch")


def end_judge() -> None:
    """End the grading process, if there is one."""
    global _judge
    _judge, last = None, _judge
    if last:
        last.close()


class Judge:
    """A child process that grades, with its own folder. It ends with this process."""

    def __init__(self, place: Path, course: Path, options: Mapping[str, object]):
        self.given = place, course, options
        self.folder = Path(tempfile.mkdtemp(prefix="judge-", dir=place))
        self.connection, theirs = Pipe()
        with theirs, open(self.folder / OUTPUT, "wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", __name__, str(self.folder), str(theirs.fileno())],
                env={**os.environ, VARIABLE: str(course)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=output,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        self.connection.send(options)

    def judge(self, submissions: Sequence[Sent]) -> dict | None:
        """Return the process's results, or None if it had already ended. Errors: RuntimeError with its last output."""
        if self.process.poll() is not None:
            return None
        with tempfile.TemporaryDirectory(prefix="batch-", dir=self.folder, ignore_cleanup_errors=True) as name:
            laid = [(*each[:3], _saved(Path(name, str(number)), each)) for number, each in enumerate(submissions)]
            with suppress(OSError):  # the process is ending; if it sent a last message, that is received below
                self.connection.send(laid)
            with suppress(EOFError, OSError):
                return self.connection.recv()
        code = self.process.wait()
        lines = (self.folder / OUTPUT).read_text("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "no output")
        raise RuntimeError(f"the grading process ended ({code}): {last[:500]}")

    def close(self) -> None:
        """Close the connection, which ends the process."""
        self.connection.close()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def _saved(folder: Path, submission: Sent) -> Path:
    _, lab, _, content = submission
    folder.mkdir()
    path = folder / f"{lab}.ipynb"
    path.write_bytes(content)
    return path


_judge: Judge | None = None


def main(folder: Path, connection: Connection) -> None:
    """Receive the settings, then grade each batch that arrives. When no more arrive, send None and end.

    `folder` is removed if the worker is gone. Errors: SystemExit with a one-line message if this machine cannot grade.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=_end_with_worker, args=(folder, connection), daemon=True).start()
    worker.get_ready(project := current())
    from labkit.grade.batch import Settings
    from labkit.grade.batch.local_executor import judges, within

    options, submissions = connection.recv(), connection.recv()
    own, unsandboxed = requirements.grading_versions(options["packages"]), options["unsandboxed"]
    if problem := requirements.unfit(options["versions"], own, unsandboxed):
        sys.exit(problem)  # the environment has changed since the worker was checked
    budgets = Budgets(**options["budgets"])
    settings = within(Settings(options["jobs"], options["seed"], budgets, unsandboxed=unsandboxed), print)
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
