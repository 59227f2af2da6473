"""What a Dask worker is told to do: say its versions, and judge a batch in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from distributed import get_worker

from labkit import project
from labkit.grading.cluster import batch, parcel, version

SAID = "said.txt"
Sent = tuple[str, str, str, bytes]  # a submission: its key, its lab, the digest of its bytes, and these
_one_at_a_time = threading.Lock()  # a batch uses all threads of its worker


def look() -> dict[str, str]:
    """This worker's versions."""
    return version.here()


def judge(packed: bytes, submissions: Sequence[Sent], told: Mapping[str, object]) -> dict:
    """What was found: results by key, or what is wrong with the course. Errors: RuntimeError, OSError; then nothing was."""
    worker = get_worker()
    with _one_at_a_time:
        place = Path(worker.local_directory).absolute()
        course = parcel.unpack(packed, place)
        with laid_out(place, submissions, {**told, "jobs": worker.state.nthreads}) as folder:
            return finish(begin(folder, course), folder)


@contextmanager
def laid_out(place: Path, submissions: Sequence[Sent], told: Mapping[str, object]) -> Iterator[Path]:
    """A folder with the submissions and with what the process that judges them is told; it goes with the context."""
    with tempfile.TemporaryDirectory(prefix="batch-", dir=place, ignore_cleanup_errors=True) as name:
        for number, (_, lab, _, content) in enumerate(submissions):
            path = Path(name, str(number), f"{lab}.ipynb")
            path.parent.mkdir()
            path.write_bytes(content)
        listed = [each[:3] for each in submissions]
        Path(name, batch.TOLD).write_text(json.dumps({**told, "submissions": listed}), "utf-8")
        yield Path(name)


def begin(folder: Path, course: Path) -> subprocess.Popen:
    """Start the process that judges a folder, with the course that lies there. It ends when this process does."""
    with open(folder / SAID, "wb") as said:
        return subprocess.Popen(
            [sys.executable, "-P", "-m", batch.__name__, str(folder)],
            env={**os.environ, project.VARIABLE: str(course)},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=said,
            start_new_session=True,
        )


def finish(process: subprocess.Popen, folder: Path) -> dict:
    """What the process has found. Errors: RuntimeError, with what it said last."""
    try:
        code = process.wait()
    finally:
        process.stdin.close()  # it ends by itself when it is not waited for any more
    if code:
        lines = (folder / SAID).read_text("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "it said nothing")
        raise RuntimeError(f"the process that judges ended ({code}): {last[:500]}")
    return json.loads((folder / batch.JUDGED).read_text("utf-8"))
