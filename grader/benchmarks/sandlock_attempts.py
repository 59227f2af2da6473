"""Run all attacks in a process isolated by sandlock: `python sandlock_attempts.py`, in sandlock's environment.

It prints as JSON what each attempt gained. The isolated process may read the same files as labkit's kernels, and write to its own folder. It
has no network and may not start other processes; everything else is sandlock's default. Some attacks try to reach a second such
process, which stands for another student's.
"""

import json
import select
import sys
import tempfile
from pathlib import Path

from attacks import ATTEMPTS
from attacks.in_kernels import PRELUDE, reset, targets
from sandlock import Sandbox
from sandlock.sandbox import StdioMode

from labkit.grade.kernel.workdir import packages
from labkit.grade.sandbox.confine import Confinement
from labkit.student.model import project
from labkit.student.model.budgets import Budgets
from labkit.student.model.course import Environment

SECONDS = 20.0
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")
ANSWERS = "import json, sys\nfor _line in sys.stdin: print(json.dumps(_attempt(*json.loads(_line))), flush=True)"


class Process:
    """An isolated process that runs attempts. If an attempt ends it, a new one starts."""

    def __init__(self, home: Path, shared: Path):
        budgets = Budgets()
        readable = (
            *Confinement(str(home), (*packages(project.current(), Environment()), str(shared)), {}).places(),
            *DEVICES,
        )
        self.settings = {
            "fs_readable": readable, "fs_writable": [str(home)], "cwd": str(home), "max_processes": 1, "max_open_files": budgets.open_files,
            "max_memory": budgets.memory_bytes, "clean_env": True, "env": {"MPLCONFIGDIR": str(shared), "HOME": str(home), "TMPDIR": str(home)},
        }  # fmt: skip
        self.start()

    def start(self) -> None:
        self.running = Sandbox(**self.settings).popen(
            [sys.executable, "-c", PRELUDE + ANSWERS], stdin=StdioMode.PIPED, stdout=StdioMode.PIPED, stderr=StdioMode.NULL
        )  # fmt: skip

    def gained(self, source: str, facts: dict) -> str:
        try:
            self.running.stdin.write(json.dumps([source, facts]).encode() + b"\n")
            if select.select([self.running.stdout], [], [], SECONDS)[0] and (said := self.running.stdout.readline()):
                return json.loads(said)
        except OSError:
            pass
        self.end()
        self.start()
        return ""

    def end(self) -> None:
        self.running.kill()
        self.running.wait(SECONDS)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        homes = [Path(name, each) for each in ("one", "other", "shared")]
        for home in homes:
            home.mkdir()
        *homes, shared = homes
        (shared / "fontlist.json").write_text("{}" * 4096)
        (homes[1] / "answer").write_text("42")
        sibling, process, found = Process(homes[1], shared), Process(homes[0], shared), {}
        if process.gained("gained = 6 * 7", {}) != "42":
            raise RuntimeError("the process does not reply")
        with targets(str(homes[1])) as facts:
            for name, attempt in ATTEMPTS.items():
                found[name] = process.gained(attempt.source, facts)
                if reset(Path(facts["secret"])):
                    found[name] = found[name] or "the file outside changed"
        process.end()
        sibling.end()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
