"""The memory of all kernels together is divided in advance, so that no kernel can take what another needs."""

import json
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import Mock

import pytest
from cgroups import cgroup
from hypothesis import given
from hypothesis import strategies as st
from needs import needs

from labkit.cli.run import _executor
from labkit.grade.batch import Settings, local_executor
from labkit.grade.batch.local_executor import GRADER, LEAST, WORKER, fitting
from labkit.grade.intake.submission import Submission
from labkit.grade.sandbox import faults
from labkit.student.model import project
from labkit.student.model.budgets import MIB, WARM, Budgets

LAB = "01_spread"
GREEDY = """
import os, time
held = []
def spread(values):
    try:
        while True:
            held.append(np.ones(2**23))
    except MemoryError:
        time.sleep(1)
        raise
"""


@given(st.integers(1, 64), st.integers(0, 2**16), st.integers(2048, 2**15))
def test_all_kernels_together_fit_into_the_memory(jobs, left, budget):
    budgets = Budgets(memory_bytes=budget * MIB)
    fit, share = fitting(jobs, budgets, left * MIB)
    each = budgets.memory_bytes - WARM if share is None else share
    assert 1 <= fit <= jobs and LEAST <= each <= budgets.memory_bytes - WARM
    assert fit == 1 or GRADER + fit * (WORKER + each) <= left * MIB
    assert Budgets(memory_bytes=budget * MIB, memory_share=share).address_space() == each + WARM


def test_without_a_memory_reading_nothing_changes(monkeypatch, tmp_path):
    assert fitting(8, Budgets(), None) == (8, None)
    assert fitting(2, Budgets(), 24 * 1024 * MIB) == (2, None)


@pytest.mark.parametrize(
    "files, left",
    [
        ({"memory.max": "3000\n", "memory.current": "1200\n", "memory.stat": "anon 7\ninactive_file 200\n"}, 2000),
        (
            {
                "memory.limit_in_bytes": "3000",
                "memory.usage_in_bytes": "3000",
                "memory.stat": "total_inactive_file 5\n",
            },
            5,
        ),
        ({"memory.max": "max\n", "memory.current": "1200\n", "memory.stat": "inactive_file 200\n"}, None),
        ({"memory.max": "3000\n"}, None),
        ({}, None),
    ],
)
def test_a_container_says_how_much_it_has(files, left, monkeypatch, tmp_path):
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(faults, "groups_of_memory", lambda: [tmp_path])
    assert faults.memory_left() == (left if left is not None else pytest.approx(faults.memory_left(), rel=0.5))
    assert left is not None or faults.memory_left() > 100 * MIB


@needs("Linux")  # other systems have no /proc
def test_the_machine_says_how_much_it_has():
    assert 100 * MIB < faults.memory_left() and [*faults.groups_of_memory()]


def test_a_single_kernel_gets_all_memory_and_no_work_prints_no_warning(monkeypatch):
    asked, said = [], []

    @contextmanager
    def judges(project, first, settings, servers):
        asked.append(settings)
        yield lambda queue: queue.items()

    monkeypatch.setattr(local_executor, "judges", judges)
    monkeypatch.setattr(local_executor, "memory_left", lambda: 4096 * MIB)
    settings = Settings(8, 1, Budgets(), resume=False, use_cache=True)
    for count in (0, 1, 8):
        queue = {str(number): Submission("ada", LAB, Path("x"), LAB) for number in range(count)}
        assert len([*local_executor.judge_locally(project.current(), queue, settings, say=said.append)]) == count
    assert [each.jobs for each in asked] == [1, 3]
    assert asked[0].budgets.memory_share > 2 * asked[1].budgets.memory_share
    assert len(said) == 1 and said[0].startswith("grading 3 submissions at once instead of 8")


def test_a_server_started_ahead_has_no_more_handles_than_the_memory_has_kernels(monkeypatch):
    handles: list[int] = []
    monkeypatch.setattr(local_executor, "available", lambda: True)
    monkeypatch.setattr(local_executor, "start_server", lambda *_, clients: handles.append(clients) or [])
    monkeypatch.setattr(local_executor, "memory_left", lambda: 4096 * MIB)
    options, queue = Mock(merged=(), cluster="", no_cache=True), [Submission("ada", LAB, Path("x"), LAB)] * 9
    with _executor(project.current(), options, Settings(256, 1), queue, print, print):
        assert handles == [3]


@pytest.mark.long("uses all memory of the machine; tests above check how it is divided")
@pytest.mark.timeout(600)
def test_kernels_at_their_memory_limit_leave_enough_for_others(handout, tmp_path):
    """With 4 GiB of memory, eight kernels are requested at once. None may be stopped because another uses its full share."""
    for number in range(8):
        handout(LAB).write("spread", f"{GREEDY}\nmine = {number}").save(
            tmp_path / "class" / f"greedy-{number}" / f"{LAB}.ipynb"
        )
    for number in range(4):
        honest = handout(LAB, solved=True).insert(f"mine = {number}", after="setup")
        honest.save(tmp_path / "class" / f"honest-{number}" / f"{LAB}.ipynb")
    command = [Path(sys.executable).with_name("labkit"), "grade", "class", "--out", "out", "--jobs", "8", "--seed", "1"]
    with cgroup("memory", ()) as folder:
        (folder / "memory.limit_in_bytes").write_text(str(4096 * MIB))
        enter = ["sh", "-c", f'echo $$ > "{folder}/cgroup.procs"; cd "{tmp_path}"; exec "$@"', "sh"]
        env = {**os.environ, project.VARIABLE: str(project.current().root)}
        done = subprocess.run([*enter, *map(str, command)], env=env, capture_output=True, text=True, timeout=500)
        kills = (folder / "memory.oom_control").read_text()
        most = int((folder / "memory.max_usage_in_bytes").read_text())
    assert "grading 3 submissions at once instead of 8" in done.stderr and "oom_kill 0" in kills and most < 4096 * MIB
    rows = {row["student"]: row for row in json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))}
    assert len(rows) == 12
    assert all(row["score"] == row["max_score"] > 0 for name, row in rows.items() if name.startswith("honest"))
    greedy = [row for name, row in rows.items() if name.startswith("greedy")]
    assert {row["status"] for row in greedy} == {"not_judged"} and done.returncode == 3
    assert all("memory that each kernel gets here" in row["reason"] for row in greedy)
