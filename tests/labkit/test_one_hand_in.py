"""One hand-in costs no class: everything at once that an accident or a trick puts into a folder, among honest ones."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from handouts import Handout
from users import as_user

from labkit.grading.worths import worths_of
from labkit.sandbox.confine import CHOICE, available_layers

LAB, FIGURES = "01_spread", "02_levels"
HONEST = 11
USERS = ["the superuser", "an ordinary user"] if os.geteuid() == 0 else ["an ordinary user"]

LEASES = """
import fcntl, glob, os, signal
import labkit.notebook.figures, matplotlib_inline.backend_inline as inline
signal.signal(signal.SIGIO, signal.SIG_IGN)
kept = []
for path in [str(labkit.notebook.figures.STYLE), *glob.glob(os.path.dirname(inline.__file__) + '/**/*.py*', recursive=True)]:
    try:
        kept.append(os.open(path, os.O_RDONLY))
        fcntl.fcntl(kept[-1], 1024, fcntl.F_WRLCK)
    except OSError:
        pass
"""
HALF_A_PAIR = {  # by the exercise; those of levels are in the other lab
    "spread": 'def spread(values):\n    raise ValueError("\\ud800")',
    "midrange": 'def midrange(values):\n    raise type("\\udcff", (Exception,), {})("\\ud800" * 9)',
    "by_hand": 'print("\\ud800"); by_hand = {"\\ud800": "\\udfff", 1: np.array(["\\ud800"])}',
    "levels": 'def levels(values):\n    return np.array(["\\ud800"])\nraise KeyError("\\ud800")',
    "draw_levels": 'def draw_levels(values, ax):\n    ax.plot(values[::-1])\n    ax.set_title("\\ud800"); ax.set_xlabel("\\udcff")\n    return ax',
}  # fmt: skip


def build(folder: Path) -> dict[str, float]:
    """The class; the score of each row, by its student, where it is known beforehand."""
    full = {lab: sum(points for points, _ in worths_of(lab).values()) for lab in (LAB, FIGURES)}
    expected = {}
    for number in range(HONEST):
        lab = (LAB, FIGURES)[number % 2]
        Handout(lab, solved=True).insert(f"mine = {number}").save(folder / f"honest-{number:02}" / f"{lab}.ipynb")
        expected[f"honest-{number:02}"] = full[lab]
    for student in ("twin-1", "twin-2"):
        Handout(LAB, solved=True).save(folder / student / "homework.ipynb")
    Handout(LAB, solved=True).insert("mine = 'M'").save(folder / os.fsdecode(b"M\xfcller") / os.fsdecode(b"\xfc.ipynb"))
    slow = "import time\nuntil = time.process_time() + 2.5\nwhile time.process_time() < until: pass"
    Handout(LAB, solved=True).insert(slow, after="setup").save(folder / "slow" / f"{LAB}.ipynb")
    Handout(LAB, solved=True).insert(LEASES, after="setup").save(folder / "leases" / f"{LAB}.ipynb")
    expected |= dict.fromkeys(("twin-1", "twin-2", "M\\xfcller", "slow", "leases"), full[LAB])

    for name, source in HALF_A_PAIR.items():
        lab = FIGURES if "levels" in name else LAB
        Handout(lab, solved=True).write(name, source).save(folder / f"half-{name}" / f"{lab}.ipynb")
    Handout(LAB, solved=True).write("by_hand", "while True: pass").save(folder / "loops" / f"{LAB}.ipynb")
    Handout(LAB, solved=True).write("by_hand", "import os; os._exit(0)").save(folder / "exits" / f"{LAB}.ipynb")
    expected |= dict.fromkeys(("loops", "exits"), full[LAB] - 1)

    # Beside a right one: the copy that was handed out, one that cannot be read, and both look later.
    for student, other in (("copies", Handout(LAB).as_bytes()), ("breaks", b"<html>signed out</html>")):
        Handout(LAB, solved=True).insert(f"mine = {student!r}").save(folder / student / "mine.ipynb")
        (folder / student / f"{LAB}.ipynb").write_bytes(other)
        os.utime(folder / student / "mine.ipynb", (1e9, 1e9))
        expected[student] = full[LAB]
    Handout(LAB).write("by_hand", "by_hand = 1").save(folder / "envious" / "honest-00.ipynb")
    os.utime(folder / "envious" / "honest-00.ipynb", (4e9, 4e9))

    for kind in ("pipe", "sparse", "link", "latin"):
        (folder / kind).mkdir()
    os.mkfifo(folder / "pipe" / f"{LAB}.ipynb")
    with open(folder / "sparse" / f"{LAB}.ipynb", "wb") as file:
        file.truncate(3 * 2**30)
    (folder / "link" / f"{LAB}.ipynb").symlink_to("/etc/passwd")
    (folder / "latin" / os.fsdecode(b"caf\xe9.txt")).touch()
    expected |= dict.fromkeys(("pipe", "sparse", "link", "latin", "envious"), 0)
    return expected


@pytest.fixture
def open_folder():
    """A folder that an ordinary user may use, when this is the superuser."""
    folder = Path(tempfile.mkdtemp(prefix="lk-class-", dir="/tmp"))
    folder.chmod(0o777)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("layer", [layer for layer in available_layers() if layer != "limits"])
def test_a_class_with_all_of_it_has_all_its_rows(open_folder, layer, user):
    expected = build(open_folder / "class")
    as_another = os.geteuid() == 0 and user == USERS[-1]
    if as_another:
        for folder, _, files in os.walk(open_folder / "class"):
            for each in (folder, *(os.path.join(folder, name) for name in files)):
                os.chown(each, 65534, 65534, follow_symlinks=False)
    command = [sys.executable, "-m", "labkit", "grade", str(open_folder / "class"), "--out", str(open_folder / "out")]
    command += ["--cell-seconds", "4", "--notebook-seconds", "40", "--jobs", "4"]
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith("COV")
    }  # its file is not for others
    named = {CHOICE: layer, "TMPDIR": "/tmp", "HOME": str(open_folder), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(as_user(command) if as_another else command, env=kept | named, capture_output=True, text=True,
                          errors="replace", timeout=280, cwd=open_folder)  # fmt: skip
    assert done.returncode == 0 and "Traceback" not in done.stdout + done.stderr, done.stderr[-3000:]
    rows = json.loads((open_folder / "out" / "results.json").read_text("utf-8"))
    assert len(rows) == len(os.listdir(open_folder / "class")) == 30
    assert {row["student"]: row["score"] for row in rows if row["student"] in expected} == expected
    assert all(row["score"] < row["max_score"] for row in rows if row["student"].startswith("half-"))
    assert {row["status"] for row in rows} == {"graded", "unreadable", "not_a_lab", "timed_out", "crashed"}
    (open_folder / "out" / "gradebook.csv").read_text("utf-8")
