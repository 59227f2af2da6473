"""Run the attacks on labkit, and write what they gain to grader/docs/security_measured.md.

python grader/benchmarks/security.py [PART ...] [--all FILE]    measure these parts (default: all parts)

Measurements are stored in grader/docs/security_measured.json. A part that is not measured again keeps its earlier measurements, and the
part "none" measures nothing. FILE gets every attack, submission and finding; the page has only the totals.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from contextlib import ExitStack
from itertools import product
from pathlib import Path

from labkit.grade.judge.points import points_by_check
from labkit.grade.kernel.forked import start_kernel
from labkit.grade.kernel.nbval_bridge import SubmissionKernel
from labkit.grade.sandbox import landlock
from labkit.grade.sandbox.confine import CHOICE, LAYERS, available_layers
from labkit.student.model import project
from labkit.student.model.budgets import Budgets
from labkit.student.model.course import Environment

sys.path.insert(0, str(project.current().root / "grader/tests/labkit"))
sys.path.insert(0, str(project.current().root / "grader/tests"))
sys.path.insert(0, str(project.current().root / "grader/benchmarks"))
sys.path.insert(0, str(project.current().root / "tests/course"))
import hostile
import security_page
import tiny_course
from attacks import channels, hostile_class, in_kernels
from attacks.kinds import TINY, Cells, Channel

ROOT = project.current().root
PARTS = ("attempts", "channels", "submissions", "class", "fuzz")
KEPT = ROOT / "grader/docs/security_measured.json"
TRIES = 5  # how often a channel is tried before it counts as closed
USERS = (False, True) if os.geteuid() == 0 else (False,)


def measure(part: str) -> dict:
    match part:
        case "attempts":
            return _on_the_tiny_course(attempts)
        case "channels":
            return _on_the_tiny_course(channels_left)
        case "submissions":
            return _on_the_tiny_course(submissions)
        case "class":
            return hostile.measure(os.cpu_count() or 1)
    return fuzz()


def _on_the_tiny_course(run) -> dict:
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="lk-") as folder:
        os.chmod(folder, 0o755)
        tiny_course.make(course := Path(folder, "tiny"))
        with tiny_course.used(course):
            return run()


def runs() -> Iterable[tuple[str, str, bool, str]]:
    """Yield each combination of layer, kernel and user, with its title."""
    for layer, kernel, user in product(available_layers(), ("warm", "stock"), USERS):
        yield layer, kernel, user, f"{layer}, {kernel}, {'user' if user or os.geteuid() else 'root'}"


def attempts() -> dict:
    """The attempts that succeeded in each run. An overrun succeeds if it is not stopped or leaves something behind."""
    found = {}
    for layer, kernel, user, title in runs():
        gained, overruns, left = in_kernels.run(layer, kernel, user)
        ended = ["filled more than 4 MiB of disk"], ["made a folder that cannot be read"]
        found[title] = sorted([*(name for name, what in gained.items() if what),
                               *(f"overruns: {name}" for name, said in overruns.items() if said not in ended or left)])  # fmt: skip
        print(title, len(found[title]), flush=True)
    return found


def channels_left() -> dict:
    """The known channels through which two kernels can still communicate, by layer and kernel."""
    found = {}
    for layer, kernel in product((layer for layer in available_layers() if layer != "limits"), ("warm", "stock")):
        os.environ[CHOICE] = layer
        budgets = Budgets(stock_kernel=kernel == "stock", notebook_seconds=300)
        with ExitStack() as stack:
            pair = [start_kernel(project.current(), Environment(), budgets) for _ in range(2)]
            for each in pair:
                stack.callback(each.stop)
            found[f"{layer}, {kernel}"] = [name for name, each in channels.LEFT.items() if _is_open(*pair, each)]
        print(layer, kernel, found[f"{layer}, {kernel}"], flush=True)
    return found


def _is_open(sender: SubmissionKernel, receiver: SubmissionKernel, channel: Channel) -> bool:
    """Whether one of several tries transfers all bits. A single one may fail, because other programs use the disk too."""
    return any(in_kernels.talk(sender, receiver, channel) for _ in range(TRIES))


def submissions() -> dict:
    """For each run, every hostile submission's points and status, and what the attacks gained, if anything."""
    found, cells = {}, Cells.of(TINY)
    names = hostile_class.chosen(TINY)
    for layer, kernel, user, title in runs():
        if user or layer == "limits" and kernel == "stock":
            continue  # the tests cover ordinary users; one run with `limits` is enough, because it isolates nothing
        folder = Path(tempfile.mkdtemp(prefix="lk-class-", dir="/tmp"))
        try:
            folder.chmod(0o755)
            hostile_class.build(folder / "class", names, cells)
            graded = hostile_class.grade(folder, layer, kernel == "stock", user)
        finally:
            subprocess.run(["rm", "-rf", folder], timeout=60)
        rows = {name: f"{graded.rows[name]['score']:g}, {graded.rows[name]['status']}" for name in names}
        gained = hostile_class.gained(graded, names, _points, cells)
        found[title] = {"rows": rows, "gained": gained, "seconds": round(graded.seconds), "largest": graded.largest}
        print(title, found[title]["seconds"], gained, flush=True)
    return found


def _points(lab: str, exercise: str) -> float:
    return sum(worth for worth, of in points_by_check(project.current(), lab).values() if of == exercise)


def fuzz() -> dict:
    """Run the fuzzers. Returns each one's last line of output, and how many seconds it took."""
    found = {}
    for name in ("fuzz_replies", "fuzz"):
        started = time.monotonic()
        command = [sys.executable, ROOT / "grader/tests/labkit" / f"{name}.py"]
        path = os.pathsep.join(str(ROOT / folder) for folder in ("grader/tests", "grader/tests/labkit"))
        done = subprocess.run(
            command, cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=7200
        )
        if done.returncode:
            raise RuntimeError(done.stderr[-3000:])
        found[name] = {"said": done.stdout.splitlines()[-1], "seconds": round(time.monotonic() - started)}
        print(found[name], flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join((*PARTS, "none")))
    parser.add_argument("--all", type=Path, metavar="FILE", help="write every attack and what it gained to this file")
    asked = parser.parse_args()
    if unknown := set(asked.parts) - {*PARTS, "none"}:
        parser.error(f"there is no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}, and none")
    parts = asked.parts or PARTS
    if len(parts) > 1:
        for part in parts:  # each in its own process, because a part's tiny course stays imported
            subprocess.run([sys.executable, __file__, part], check=True)
    elif parts[0] != "none":
        keep(parts[0], measure(parts[0]))
    known = json.loads(KEPT.read_text("utf-8"))
    KEPT.with_suffix(".md").write_text(security_page.page(known), "utf-8")
    if asked.all:
        asked.all.write_text(security_page.everything(known), "utf-8")


def keep(part: str, found: dict) -> None:
    """Store a part's measurements without changing the other parts."""
    known = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    layers = ", ".join(layer for layer in LAYERS if layer in available_layers())
    machine = f"Linux {platform.release()}, Landlock ABI {landlock.abi()}, Python {platform.python_version()}, with the layers {layers}"
    KEPT.write_text(json.dumps({**known, part: found, "machine": machine}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
