"""Tasks of a Dask worker: report its versions, and grade a batch in a separate process, which is kept for the next batch."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing import Pipe
from pathlib import Path

from distributed import get_worker

from labkit.grade.cluster import batch, course_archive, version
from labkit.student.model.project import VARIABLE

OUTPUT = "output.txt"
Sent = tuple[str, str, str, bytes]  # a submission: its key, lab, digest and bytes
_one_at_a_time = threading.Lock()  # a batch uses all threads of the worker


def report_versions(packages: Sequence[str]) -> dict[str, str]:
    """Report this worker's versions."""
    return version.grading_versions(packages)


def judge(packed: bytes, submissions: Sequence[Sent], options: Mapping[str, object]) -> dict:
    """Grade a batch; return results by key, or the course error. Errors: RuntimeError or OSError if grading itself failed."""
    worker = get_worker()
    with _one_at_a_time:
        place = Path(worker.local_directory).absolute()
        course = course_archive.unpack(packed, place)
        return judge_in(place, course, submissions, {**options, "jobs": worker.state.nthreads})


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
                [sys.executable, "-P", "-m", batch.__name__, str(self.folder), str(theirs.fileno())],
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
