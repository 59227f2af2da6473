"""A full disk is the machine's fault; an exceeded disk budget is the submission's."""

import os
import subprocess
import tempfile
from types import SimpleNamespace

import pytest
from kernel_outputs import begin, run_of, said
from needs import mount, needs

from labkit.grade.kernel import servers
from labkit.grade.kernel.forked import ForkedKernel
from labkit.grade.kernel.meter import OverBudget
from labkit.grade.kernel.nbval_bridge import execute
from labkit.grade.kernel.stock import StockKernel
from labkit.grade.sandbox import watch as watching
from labkit.grade.sandbox.faults import MachineFailed
from labkit.grade.sandbox.watch import Watch
from labkit.student.model.budgets import Budgets

pytestmark = needs("Linux")
KINDS = pytest.mark.parametrize("kind", [ForkedKernel, StockKernel])
SLEEP = "import time; time.sleep(60)"


@pytest.fixture
def small_disk(monkeypatch, tmp_path):
    """A folder on a separate 8 MiB disk, which holds the folders of this test's kernels."""
    folder = tempfile.mkdtemp(prefix="lk-", dir="/tmp")
    mount(folder, "size=8m,mode=755")
    monkeypatch.setattr(tempfile, "tempdir", folder)
    monkeypatch.setattr(servers, "_servers", kept := {})
    yield folder
    for each in kept.values():
        each.close()
    subprocess.run(["umount", "-l", folder], timeout=20)
    os.rmdir(folder)


def fill(folder: str) -> None:
    try:
        with open(f"{folder}/filled", "wb", buffering=0) as file:
            while file.write(bytes(2**16)):
                pass
    except OSError:
        pass


@KINDS
def test_a_full_disk_is_the_machines_fault(kind, start_kernel, small_disk):
    kernel = start_kernel(kind)
    message = begin(kernel, SLEEP)
    fill(small_disk)
    with pytest.raises(MachineFailed, match="no space left"):
        kernel.await_reply(message, timeout=50)
    with pytest.raises(MachineFailed, match="no space left"):
        kernel.meter.watch.look_at_disk()
    before = set(os.listdir(small_disk))
    with pytest.raises(MachineFailed, match="[Nn]o space left"):
        start_kernel(kind)
    assert set(os.listdir(small_disk)) == before
    os.remove(f"{small_disk}/filled")
    assert said(start_kernel(kind), "print(1)") == "1\n"


@KINDS
def test_a_full_disk_is_noticed_when_the_kernel_is_stopped(kind, start_kernel, small_disk):
    """The disk may be full only between two checks; an answer that fails then is not at fault."""
    run = run_of()
    run.kernel = start_kernel(kind)
    fill(small_disk)
    with pytest.raises(MachineFailed, match="no space left"):
        run.close()
    assert run.kernel is None
    run.close()


def test_only_space_for_ordinary_users_counts(monkeypatch, tmp_path):
    monkeypatch.setattr(watching, "INTERVAL", 0)
    watch = Watch(tmp_path, Budgets(files=10))
    room = SimpleNamespace(f_bavail=1000, f_frsize=4096, f_files=100, f_favail=50)
    for change in ({"f_bavail": 255}, {"f_favail": 15}):
        monkeypatch.setattr(watching.os, "statvfs", lambda _, now={**vars(room), **change}: SimpleNamespace(**now))
        with pytest.raises(MachineFailed):
            watch.look_at_disk()
    for change in ({}, {"f_files": 0, "f_favail": 0}):  # some file systems do not count files
        monkeypatch.setattr(watching.os, "statvfs", lambda _, now={**vars(room), **change}: SimpleNamespace(**now))
        watch.look_at_disk()
    monkeypatch.setattr(watching.os, "statvfs", lambda _: SimpleNamespace(**{**vars(room), "f_bavail": 0}))
    for number in range(11):
        (tmp_path / str(number)).touch()
    assert "10 files" in watch.complaint()  # the kernel's own disk budget is checked first


def test_exceeding_the_disk_budget_is_still_the_submissions_result(start_kernel):
    with pytest.raises(OverBudget, match="disk"):
        execute(start_kernel(budgets=Budgets(disk_bytes=2**20)), f"open('x', 'wb').write(bytes(2**22)); {SLEEP}", 50.0)
