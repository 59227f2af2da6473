"""Build and grade a class of hostile and honest submissions.

This works for any course that has the kinds of cells in which the hostile submissions put their code.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import psutil
from handouts import Handout
from users import as_user

from attacks import HAND_INS
from attacks.kinds import Cells

HONEST = ("aa-honest", "honest", "zz-honest")
BUDGETS = {"cell-seconds": 2, "notebook-seconds": 15}
LONGEST = 3_600  # seconds to wait for a class on a busy machine


@dataclass(frozen=True)
class Graded:
    """A graded class: its rows by student, and what the command did.

    The command's output and run time, the peak memory of its trusted processes in MiB, and what it left behind.
    """

    rows: dict[str, dict]
    said: str
    seconds: float
    largest: int
    left: set[str]


def chosen(places: Iterable[str], start: int = 0, step: int = 1) -> list[str]:
    """Choose the submissions written for cells that the course has: all of them, or every `step`-th one."""
    return [name for name, each in HAND_INS.items() if each.cell in places][start::step]


def build(folder: Path, names: Iterable[str], cells: Cells) -> None:
    """Write a folder for each student: the honest ones, and one named after each hostile submission."""
    for name in names:
        HAND_INS[name].save(folder / name, cells)
    lab = cells.places["array"][0]
    for name in HONEST:
        Handout(lab, solved=True).save(folder / name / f"{lab}.ipynb")


def grade(
    folder: Path,
    layer: str,
    stock: bool = False,
    user: bool = False,
    jobs: int = 4,
    budgets: Mapping[str, float] = BUDGETS,
) -> Graded:
    """Grade folder/class into folder/out, as the current user or an ordinary one. Errors: RuntimeError."""
    temporary = Path(tempfile.mkdtemp(dir="/tmp", prefix="lk-"))  # short enough for sockets
    try:
        temporary.chmod(0o777 if user else 0o711)  # a kernel may run as another user, who may enter but not list it
        options = [word for name, value in budgets.items() for word in (f"--{name}", str(value))]
        command = [sys.executable, "-m", "labkit", "grade", str(folder / "class"), "--out", str(folder / "out"), "--seed", "1",
                   "--jobs", str(jobs), "--allow-unsandboxed", *options, *(["--stock-kernel"] if stock else [])]  # fmt: skip
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith("COV")
        }  # coverage's settings name a file that another user may be unable to read
        own = {"LABKIT_LAYER": layer, "TMPDIR": str(temporary), "PYTHONDONTWRITEBYTECODE": "1"}
        if user:
            own["HOME"] = str(temporary)
            subprocess.run(["chown", "-RP", "65534:65534", folder], check=True, timeout=60)
        started = time.monotonic()
        with open(folder / "said", "wb") as said:
            process = subprocess.Popen(
                as_user(command) if user else command, env={**kept, **own}, cwd=folder, stdout=said, stderr=said
            )
        try:
            largest = _watched(process)
        finally:
            process.kill()
            process.wait(60)
        seconds = time.monotonic() - started
        text = (folder / "said").read_text("utf-8", "replace")
        if process.returncode:
            raise RuntimeError(text[-3000:])
        rows = json.loads((folder / "out" / "results.json").read_text("utf-8"))
        return Graded({row["student"]: row for row in rows}, text, seconds, largest, _left(temporary))
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def interviewed(folder: Path, rows: int) -> str:
    """What went wrong when pages with questions were made of this graded class. Empty if nothing did."""
    command = [sys.executable, "-m", "labkit", "interview", str(folder / "out"), "--out", str(folder / "asked"), "--allow-unsandboxed"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", timeout=LONGEST)
    pages = [path.read_text("utf-8") for path in (folder / "asked").glob("[!_]*.html")]
    leaks = [text for text in pages if "<script" in text or "root:x:" in text or str(folder) in text]
    without = sum(": 0 questions (" in line for line in done.stdout.splitlines())
    whole = not done.returncode and len(pages) + without == rows > without
    return (
        ""
        if whole and not leaks
        else f"{len(pages)} pages, {without} without, {len(leaks)} leaks: {done.stderr[-3000:]}"
    )


def _watched(process: subprocess.Popen) -> int:
    """Wait for the grader to end. Returns the peak MiB of its largest process that runs no submitted code."""
    largest, until = 0, time.monotonic() + LONGEST
    while process.poll() is None and time.monotonic() < until:
        largest = max([largest, *trusted(process.pid)])
        time.sleep(0.25)
    return largest


def trusted(grader: int) -> list[int]:
    """The peak memory in MiB of the grader and of each worker, without processes that run submissions."""
    try:
        processes = [psutil.Process(grader), *psutil.Process(grader).children(recursive=True)]
    except psutil.Error:
        return []
    return [size for each in processes if (size := _size(each))]


def _size(process: psutil.Process) -> int:
    """A process's peak memory in MiB, as counted by Linux; 0 for processes that run submissions.

    Its current memory is not used, because a peak between two checks would be missed.
    """
    try:
        words = " ".join(process.cmdline())
        if "fork_server" in words or "stock_process" in words:
            return 0
        told = Path(f"/proc/{process.pid}/status").read_text()
        return int(told.partition("VmHWM:")[2].split()[0]) >> 10
    except (psutil.Error, OSError, IndexError):  # it has just ended
        return 0


def _left(temporary: Path) -> set[str]:
    """Files left in the folder, and processes still running whose command line names the folder."""
    commands = {" ".join(process.info["cmdline"] or ()) for process in psutil.process_iter(["cmdline"])}
    left = {command[:200] for command in commands if str(temporary) in command}
    return left | {name for name in os.listdir(temporary) if not name.startswith(".")}


def gained(graded: Graded, names: Iterable[str], points: Callable[[str, str], float], cells: Cells) -> dict[str, str]:
    """What each submission gained, or how it harmed others, by name. Empty if every attack failed.

    points: a function that returns a lab's points for an exercise.
    """
    found = {}
    for name in names:
        row, attack = graded.rows.get(name), HAND_INS[name]
        if row is None:
            found[name] = "no row"
            continue
        lost, own = row["max_score"] - row["score"], points(*cells.places[attack.cell])
        fits = {"all": row["score"] == 0, "own": lost == own, "some": lost > 0, "nothing": lost == 0 < row["score"]}[
            attack.costs
        ]
        if not fits:
            found[name] = f"{row['score']:g} of {row['max_score']:g} points, {row['status']}: {row['reason']}"
        if attack.says:
            statuses, words = attack.says
            said = row["reason"] + "".join(check["message"] for check in row["checks"])
            if row["status"] not in statuses or not any(each in said for each in words):
                found[name] = f"{row['status']}: {row['reason']}"
        if "grading it" in row["reason"]:
            found[name] = row["reason"]
    for name in HONEST:
        row = graded.rows[name]
        if row["status"] != "graded" or row["score"] != row["max_score"]:
            found[name] = f"{row['score']:g} of {row['max_score']:g} points, {row['status']}: {row['reason']}"
    if graded.left:
        found["the disk and the processes"] = "left behind: " + ", ".join(sorted(graded.left))
    if graded.largest >= 300:
        found["the grader"] = f"a process of {graded.largest} MiB"
    if "Traceback" in graded.said:
        found["the command"] = "a traceback"
    if os.path.exists("/tmp/labkit-pickle"):
        found["pickle"] = "it was run"
    return found
