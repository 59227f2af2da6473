"""What comes after a submission's reply is bounded too: its size, and the time and memory that judging it may take."""

import json
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from handouts import Handout
from processes import started, until

LAB = "01_spread"
OURS = "import labkit.calls.outbox as o\no.reply = lambda value: "
SHOW = "from IPython.display import display\n"
KEYS = "','.join(str(k * (2**61 - 1) + 1) for k in range(1, 70_001))"  # they all collide
# By name: the cell, what is written into it, and the points that this costs of the lab's 6.
COSTLY = {
    "colliding-keys": ("spread", OURS + f"'{{\"list\":[\"value\",{{\"set\":[' + {KEYS} + ']}}]}}'\ndef spread(values): return 0", 6),
    "combining-marks": ("by_hand", "check = lambda *a, **k: print('\\u0301' * 75_000 + '\\u0323' * 75_000)", 1),
    "lines-in-another-order": ("by_hand", "import random\ncheck = lambda *a, **k: print(*(random.random() for _ in range(9_000)), sep='\\n')", 1),
    "many-flushed-prints": ("by_hand", "for _ in range(3_900): print('x' * 8_000, flush=True)", 1),
    "a-long-short-answer": ("by_hand", "import numpy as np\nby_hand = np.zeros(8_000_000, np.int8)", 1),
    "a-long-text": ("spread", "def spread(values): return chr(128512) + 'x' * 1_000_000", 3),
    "a-long-source": ("by_hand", "x;" * 1_000_000, 1),
    "a-large-array": ("spread", "def spread(values): return np.zeros(2_000_000)", 3),
    "many-parts": ("spread", "def spread(values): return [[]] * 200_000", 3),
    "many-parts-shown": ("by_hand", SHOW + "for _ in range(5): display({'application/json': [{}] * 300_000}, raw=True)", 1),
}  # fmt: skip


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The class, graded with little time for judging; the rows, and the largest of our own processes, in MiB."""
    folder, peak = tmp_path_factory.mktemp("costly"), 0
    for name, (cell, source, _) in COSTLY.items():
        Handout(LAB, solved=True).write(cell, source).save(folder / "class" / name / f"{LAB}.ipynb")
    for name in ("aa-honest", "zz-honest"):
        Handout(LAB, solved=True).save(folder / "class" / name / f"{LAB}.ipynb")
    command = [Path(sys.executable).with_name("labkit"), "grade", folder / "class", "--out", folder / "out"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    with started(*command, "--jobs", "2", "--judging-seconds", "8", "--cell-seconds", "4", **quiet) as grader:

        def done() -> bool:
            nonlocal peak
            peak = max([peak, *sizes(grader.pid)])
            return grader.poll() is not None

        assert until(done)
        assert grader.returncode == 0, grader.stderr.read()
    return {row["student"]: row for row in json.loads((folder / "out" / "results.json").read_text("utf-8"))}, peak


def sizes(grader: int) -> list[int]:
    """Memory of the grader and its workers, in MiB; what runs submissions is not among them."""
    try:
        processes = [psutil.Process(grader), *psutil.Process(grader).children(recursive=True)]
        return [each.memory_info().rss >> 20 for each in processes if "fork_server" not in " ".join(each.cmdline())]
    except psutil.Error:  # one has just ended
        return []


@pytest.mark.parametrize("name", COSTLY)
def test_a_costly_answer_costs_its_own_points_and_nobodys_time(graded, name):
    rows, _ = graded
    lost = rows[name]["max_score"] - rows[name]["score"]
    assert lost == COSTLY[name][2] and "judging" not in rows[name]["reason"], rows[name]["reason"]


def test_honest_ones_beside_them_get_all(graded):
    rows, peak = graded
    assert [rows[name]["score"] for name in ("aa-honest", "zz-honest")] == [6, 6] and len(rows) == len(COSTLY) + 2
    assert peak < 300
