"""Each budget has a command-line option, and a submission that exceeds it gets the reason in its row."""

import json

import pytest
from longer import every

from labkit.grade.kernel.forked import start_kernel
from labkit.grade.kernel.meter import OverBudget
from labkit.grade.kernel.nbval_bridge import execute
from labkit.student.model import project
from labkit.student.model.budgets import OPTIONS, Budgets, from_options
from labkit.student.model.course import Environment

LAB = "01_spread"
WAIT = "\nimport time; time.sleep(60)"
THREADS = "import threading, time\nfor _ in range(60): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\ntime.sleep(60)"
DEEP = "from IPython.display import display\ntree = []\nfor _ in range(50): tree = [tree]\ndisplay({'application/json': tree}, raw=True)"

# Small arrays take the longest to read: half a second for each of several replies.
TAKES_LONG_TO_READ = "def spread(values): return [np.array(['a'])] * 75_000"

# The given value, what the answer does, and the message about it.
USED_UP = {
    "cell-seconds": (1.5, "while True: pass", "did not finish within 1.5 seconds"),
    "notebook-seconds": (4, "import time; time.sleep(9)", "used up the notebook's time"),
    "judging-seconds": (2, TAKES_LONG_TO_READ, "grading it took too long"),
    "judging-mib": (
        32,
        "def spread(values): return [[]] * 200_000",
        " memory ",
    ),  # the error is in the message, or in what it contains
    "cpu-seconds": (1, "while True: pass", "used more than 1 seconds of processor time"),
    "memory-mib": (2048, "bytearray(2 * 2**30)", "MemoryError"),
    "file-mib": (1, "open('x', 'wb').write(bytes(2**21))", "File too large"),
    "disk-mib": (
        1,
        "for n in range(4): open(str(n), 'wb').write(bytes(2**20))" + WAIT,
        "filled more than 1 MiB of disk",
    ),
    "files": (50, "for n in range(200): open(str(n), 'w')" + WAIT, "made more than 50 files"),
    "open-files": (64, "[open('/dev/null') for _ in range(64)]", "Too many open files"),
    "processes": (20, THREADS, "started more than 20 threads"),
    "output-mib": (1, "for n in range(9): display('x' * 2**18)", "wrote more than 1 MiB in one cell"),
    "outputs": (50, "for n in range(200): display(n)", "made more than 50 outputs in one cell"),
    "submission-mib": (1, "'" + "x" * 2**20 + "'", "the limit is 1 MiB"),
    "json-depth": (40, DEEP, "made an output nested more than 40 levels deep"),
}
ALONE = ("cell-seconds", "notebook-seconds", "judging-seconds", "judging-mib")  # others would hit it too
TOGETHER = tuple(budget for budget in USED_UP if budget not in ALONE)


def test_there_is_a_case_for_every_budget():
    assert set(USED_UP) == set(OPTIONS)
    assert {budget.name for budget in OPTIONS.values()} == set(vars(Budgets())) - {"stock_kernel", "memory_share"}


def test_options_are_budgets_in_their_own_units():
    assert from_options({}) == Budgets()
    given = from_options({"memory-mib": 2048, "cell-seconds": 1.5, "files": 7}, stock_kernel=True)
    assert given == Budgets(memory_bytes=2**31, cell_seconds=1.5, files=7, stock_kernel=True)


@pytest.mark.parametrize(
    "budgets",
    [
        *((budget,) for budget in ALONE[:2]),
        *(
            pytest.param((budget,), marks=pytest.mark.long("grades another class for each of these budgets"))
            for budget in ALONE[2:]
        ),
        TOGETHER,
    ],
    ids=" ".join,
)
def test_a_row_says_which_budget_was_used_up(budgets, tmp_path, labkit, handout):
    """One student exceeds each budget, and one student exceeds none."""
    handout(LAB, solved=True).save(tmp_path / "class" / "honest" / f"{LAB}.ipynb")
    for budget in budgets:
        answer = handout(LAB, solved=True).write("spread", USED_UP[budget][1])
        answer.save(tmp_path / "class" / budget / f"{LAB}.ipynb")
    options = [f"--{budget}={USED_UP[budget][0]}" for budget in budgets]
    done = labkit("grade", tmp_path / "class", "--out", tmp_path / "out", *options, "--allow-unsandboxed")
    assert done.returncode == 0, done.stderr
    rows = {row["student"]: row for row in json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))}
    assert rows.pop("honest")["score"] == 6 and set(rows) == set(budgets)
    for budget, row in rows.items():
        said = row["reason"] + " ".join(check["message"] for check in row["checks"])
        assert USED_UP[budget][2] in said, budget
        elsewhere = sum(check["points"] for check in row["checks"] if check["exercise"] in ("by_hand", "midrange"))
        assert elsewhere == (0 if budget in ("submission-mib", "judging-seconds") else 3), budget


@pytest.mark.parametrize("value", ["0", "-3", "nan", "inf", "1e400", "many", ""])
@pytest.mark.parametrize("budget", ["cell-seconds", "cpu-seconds"])
def test_a_budget_that_is_none_is_refused(budget, value, labkit, tmp_path):
    done = labkit("grade", "class", "--out", tmp_path / "out", f"--{budget}={value}")
    assert done.returncode == 2 and f"--{budget}" in done.stderr and len(done.stderr.splitlines()) == 1


SEEN_FROM_OUTSIDE = ["cpu-seconds", "processes", "disk-mib", "files", "output-mib", "outputs", "json-depth"]
SEEN_FROM_INSIDE = {"memory-mib": "MemoryError", "file-mib": "OSError", "open-files": "OSError"}


@pytest.mark.parametrize("budget", every(4, [*SEEN_FROM_OUTSIDE, *SEEN_FROM_INSIDE], 1, why="another stock kernel"))
def test_stock_kernels_keep_the_same_budgets(budget):
    value, source, words = USED_UP[budget]
    kernel = start_kernel(project.current(), Environment(), from_options({budget: value}, stock_kernel=True))
    try:
        if budget in SEEN_FROM_OUTSIDE:
            with pytest.raises(OverBudget, match=words):
                execute(kernel, source, 20.0)
        else:
            assert SEEN_FROM_INSIDE[budget] in {output.get("ename") for output in execute(kernel, source, 20.0)}
    finally:
        kernel.stop()
