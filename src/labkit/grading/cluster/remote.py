"""What a Dask worker is told to do: say its versions, and judge a batch in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from distributed import get_worker

from labkit import project
from labkit.grading.cluster import batch, parcel, version

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
        return judge_at(place, worker.state.nthreads, packed, submissions, told)


def judge_at(place: Path, jobs: int, packed: bytes, submissions: Sequence[Sent], told: Mapping[str, object]) -> dict:
    """The same, in a folder of this machine and with so many submissions at once."""
    course = parcel.unpack(packed, place)
    with tempfile.TemporaryDirectory(prefix="batch-", dir=place, ignore_cleanup_errors=True) as name:
        folder = Path(name)
        for number, (_, lab, _, content) in enumerate(submissions):
            (folder / str(number)).mkdir()
            (folder / str(number) / f"{lab}.ipynb").write_bytes(content)
        listed = [each[:3] for each in submissions]
        (folder / batch.TOLD).write_text(json.dumps({**told, "jobs": jobs, "submissions": listed}), "utf-8")
        _run(folder, course)
        return json.loads((folder / batch.JUDGED).read_text("utf-8"))


def _run(folder: Path, course: Path) -> None:
    """Run the process that judges this folder to its end. Errors: RuntimeError, with what it said last."""
    command = [sys.executable, "-P", "-m", batch.__name__, str(folder)]
    with open(folder / "said.txt", "w+b") as said:
        process = subprocess.Popen(
            command,
            env={**os.environ, project.VARIABLE: str(course)},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=said,
            start_new_session=True,
        )
        try:
            code = process.wait()
        finally:
            process.stdin.close()  # it ends by itself when it is not waited for any more
        if code:
            said.seek(0)
            words = said.read().decode("utf-8", "replace").split("\n")
            last = next((line for line in reversed(words) if line.strip()), "it said nothing")
            raise RuntimeError(f"the process that judges ended ({code}): {last.strip()[:500]}")
