"""Compare grading on Dask workers on this machine with as many local processes: time, memory, and whether the results are equal."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from classroom import LAB, ROOT, answers, filled, read, students
from measure import Cost, measure
from sleeping import handed_in

sys.path[:0] = [str(ROOT / "grader/tests/labkit")]
from dask_cluster import Cluster  # noqa: E402

from labkit.grade.cluster import course_archive, remote, version  # noqa: E402
from labkit.grade.cluster.connection import connected  # noqa: E402
from labkit.grade.intake.choose import digest_of  # noqa: E402
from labkit.student.model import project  # noqa: E402

LABKIT = Path(sys.executable).with_name("labkit")
LOOK_EVERY = 0.5  # seconds between two counts of the graded submissions


def seconds_of_a_batch(folder: Path, more: int = 48) -> dict:
    """Measure how many seconds a worker takes to start, and then to grade each submission, one at a time."""
    course, content = course_archive.unpack(course_archive.pack(project.current()), folder), handed_in()
    options = {
        "seed": 1,
        "budgets": {},
        "packages": [],
        "versions": version.local_versions([]),
        "unsandboxed": False,
        "jobs": 1,
    }
    sent = [(str(number), LAB, digest_of(content), content) for number in range(1 + more)]
    began = time.monotonic()
    with closing(remote.Judge(folder, course, options)) as judge:
        judge.judge(sent[:1])
        begun = time.monotonic()
        found = judge.judge(sent[1:])
        each = (time.monotonic() - begun) / more
    return {"begin": begun - began - each, "each": each, "stored": found["results"][0][1]}


def make_class(folder: Path, size: int) -> None:
    notebook = read("labs")
    for student, right in students(size).items():
        path = folder / student / f"{LAB}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(filled(notebook, answers(student, right)))


def make_part(folder: Path, size: int, part: int) -> None:
    """Copy the first students' files with their modification times, which count as submission times."""
    for student in students(part) if part != size else ():
        shutil.copytree(folder / f"class-{size}" / student, folder / f"class-{part}" / student)


def graded(folder: Path, size: int, local: int, count: int, kill: bool) -> dict:
    """Grade `local` students on `count` processes and `size` students on `count` workers. Both classes begin with the same students.

    The processes grade once before the workers and once after, because the speed of a shared machine varies.
    """
    place = folder / f"with-{count}"
    command = [LABKIT, "grade", "--seed", "1", "--jobs", str(count), "--course", ROOT]
    place.mkdir()
    here = [on_processes(command, folder / f"class-{local}", place / "before")]
    with Cluster(place) as cluster:
        for _ in range(count):
            cluster.worker("--no-nanny")
        with connected(cluster.address) as client:
            client.wait_for_workers(count, timeout=120)
        asked = [*command, folder / f"class-{size}", "--out", place / "out", "--cluster", cluster.address]
        began, kept = time.monotonic(), killed(asked, place, size // 2) if kill else 0
        there = measure([*asked, "--resume"], place, place / "out.log")
        seconds = time.monotonic() - began
    here.append(on_processes(command, folder / f"class-{local}", place / "after"))
    rows, ours = (json.loads((place / out / "results.json").read_text("utf-8")) for out in ("out", "after"))
    named = {row["student"]: row for row in rows}
    same = len(rows) == size and all(named[row["student"]] == row for row in ours)
    return {
        "workers": count, "submissions": size, "cluster": seconds, "kept": kept, "memory": there.main, "local_submissions": local,
        "local": [cost.wall for cost in here], "local_memory": max(cost.main for cost in here), "same": same,
    }  # fmt: skip


def on_processes(command: list, group: Path, out: Path) -> Cost:
    return measure([*command, group, "--out", out], out.parent, out.with_suffix(".log"))


def killed(command: list, place: Path, enough: int) -> int:
    """Start the command, and kill it once at least `enough` results are stored. Returns how many there were."""
    with open(place / "killed.log", "wb") as log, subprocess.Popen([*map(str, command)], stdout=log, stderr=log) as run:
        while (kept := len(list((place / "out/cache").glob("*.json")))) < enough:
            if run.poll() is not None:
                raise RuntimeError((place / "killed.log").read_text("utf-8", "replace")[-2000:])
            time.sleep(LOOK_EVERY)
        run.send_signal(signal.SIGKILL)
    return kept
