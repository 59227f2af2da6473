"""Every attack in each isolating layer, in warm and stock kernels, as superuser and as ordinary user.

By default only warm kernels are attacked. Each attempt in a kernel runs at least once in each layer and once as each user. Hostile
submissions are graded in fewer combinations of layer and user, and those that are slow or similar to others are skipped.
`make test LONG=1` and `python grader/benchmarks/security.py` run all combinations.
"""

import ctypes
import errno
import os
import re
import subprocess
import tempfile
from itertools import product
from pathlib import Path

import pytest
from attacks import ATTEMPTS, CHANNELS, HAND_INS, OVERRUNS, hostile_class, in_kernels
from attacks.findings import FINDINGS, LEFT, TESTED
from attacks.kinds import TINY, Cells
from longer import LONG, each_value_once, every
from needs import ABSENT, WALLS, needs
from users import in_plain_container

from labkit.grade.judge.points import points_by_check
from labkit.student.model import project

USERS = ["the superuser", "an ordinary user"] if os.geteuid() == 0 else ["an ordinary user"]
WHY = "another combination of layer, user and kernel"
HELD = {("filled more than 4 MiB of disk",), ("made a folder that cannot be read",)}
CLONE = Path(__file__).parents[4]


def is_another(user: str) -> bool:
    return os.geteuid() == 0 and user == USERS[-1]


@pytest.mark.parametrize("kernel", every(2, ["warm", "stock"], why=WHY))
@pytest.mark.parametrize(("layer", "user"), [*each_value_once(WALLS, USERS, why=WHY), *product(ABSENT, USERS)])
def test_no_attempt_in_a_kernel_gains_anything(layer, kernel, user):
    gained, overruns, left = in_kernels.run(layer, kernel, is_another(user))
    assert set(gained) == {*ATTEMPTS, *CHANNELS} and {name: what for name, what in gained.items() if what} == {}
    assert set(overruns) == set(OVERRUNS) and left == []
    assert {name: said for name, said in overruns.items() if tuple(said) not in HELD} == {}


@needs("root")  # only root can give up the rights that a container lacks
@needs("landlock")
@pytest.mark.parametrize("kernel", every(2, ["warm", "stock"], why=WHY))
def test_no_attempt_gains_anything_in_a_plain_container(kernel):
    """There the superuser has no right to inspect processes of other users, such as the kernels' user."""
    gained, overruns, left = in_kernels.run("landlock", kernel, through=in_plain_container([]))
    assert {name: what for name, what in gained.items() if what} == {} and left == []
    assert {name: said for name, said in overruns.items() if tuple(said) not in HELD} == {}


# Forks of one server used to share an inherited input file, and were numbered.
OF_WARM_KERNELS = {"flags of an inherited file", "a file in a folder with a guessable name"}
NOT_ALWAYS = {"whether a page has been read"}  # memory may still have it, or another process may read it


@needs("isolation")
@pytest.mark.long("tests the attacks rather than labkit: without isolation they succeed")
def test_the_attempts_are_real():
    """Without isolation most attempts succeed, so failing under isolation means something."""
    gained, overruns, left = in_kernels.run("limits", "stock", os.geteuid() == 0)
    assert sum(map(bool, gained.values())) > 40
    for name in ("reading: a solution", "processes: fork", "network: a TCP connection", "processes: another submission's memory",
                 "writing: a world-writable file", "reading: another submission's file",
                 "writing: a lease on a file that all kernels read", "writing: attributes of a file that all kernels read",
                 "writing: disk space reserved with fallocate", "writing: an inotify instance",
                 "reading: a symbolic link for an outside tool to follow", "processes: surviving its parent"):  # fmt: skip
        assert gained[name], name
    for number, name in (
        (467, "reading: a world-readable file, with open_tree_attr"),
        (469, "writing: attributes of a world-writable file, with file_setattr"),
    ):
        assert gained[name] or not is_known(number), name
    silent = {name for name in CHANNELS if not gained[name]}
    if (
        not {name.partition(": ")[2] for name in silent} <= OF_WARM_KERNELS | NOT_ALWAYS
    ):  # on a busy machine some bits are lost
        once_more, *_ = in_kernels.run("limits", "stock", os.geteuid() == 0)
        silent = {name for name in silent if not once_more[name]}
    assert {name.partition(": ")[2] for name in silent} <= OF_WARM_KERNELS | NOT_ALWAYS
    escaped = {name for name, said in overruns.items() if len(said) != 1 or said[0].startswith("it could")}
    assert escaped == {"files open in one thread only", "file descriptors in flight over a socket"} and left == []


def is_known(number: int) -> bool:
    """Whether this machine's Linux has a system call with that number."""
    libc = ctypes.CDLL(None, use_errno=True)
    return libc.syscall(ctypes.c_long(number), -1, None, -1, -1, -1) != -1 or ctypes.get_errno() != errno.ENOSYS


@pytest.fixture
def folder():
    """A folder for an ordinary user. `tmp_path` will not do: pytest cannot remove some hostile folders."""
    made = Path(tempfile.mkdtemp(prefix="lk-class-", dir="/tmp"))
    made.chmod(0o755)
    yield made
    subprocess.run(["rm", "-rf", made], timeout=60)


def points(lab: str, exercise: str) -> float:
    return sum(worth for worth, of in points_by_check(project.current(), lab).values() if of == exercise)


# Submissions graded only with LONG=1, because they are slow or similar to others, and the fast test of their kind.
COVERED_BY = {
    **dict.fromkeys(("loops", "swallows-interrupts", "slow"), "test_grading.py::test_a_cell_that_stops_everything_costs_only_its_own_points"),
    **dict.fromkeys(("memory-bomb", "disk-bomb", "file-bomb", "thread-bomb"), "test_budgets.py::test_a_row_says_which_budget_was_used_up"),
    **dict.fromkeys(("prints-200-MB", "shows-100-MB", "50000-outputs", "many-large-outputs"), "test_budgets.py::test_a_row_says_which_budget_was_used_up"),
    **dict.fromkeys(("kills-itself", "segfault"), "test_kernel.py::test_a_kernel_that_dies_is_noticed_at_once"),
    **dict.fromkeys(("deleted-open-files", "leases"), "test_attacks.py::test_no_attempt_in_a_kernel_gains_anything"),
    **dict.fromkeys(("a-transparent-line", "other-axes", "invisible-axes", "axes-off-the-page"), "test_axes.py::test_invisible_artists_are_not_in_the_drawing"),
    **dict.fromkeys(("lone-surrogate-as-a-name", "lone-surrogate-in-an-array", "lone-surrogate-in-a-figure"), "test_reports.py::test_reports_are_written_for_any_content"),
    "threads-with-small-stacks": "test_machine_faults.py::test_threads_of_one_submission_cost_no_other_its_row",
    "deep-folders-with-a-locked-one": "test_fork_server.py::test_folders_deeper_than_python_recurses_are_removed_too",
    "many-notebooks": "test_intake.py::test_with_too_many_files_the_newest_are_read_and_the_row_names_the_rest",
    "fills-the-graders-memory": "test_kernel_faults.py::test_outputs_that_the_grader_has_no_memory_for_end_their_kernel",
    # For each of these, a similar submission that is always in the class.
    **dict.fromkeys(("a-list-of-200000-lists", "huge-array", "a-long-short-answer"), "a-large-array"),
    **dict.fromkeys(("empty", "scalar"), "nan"),
    **dict.fromkeys(("a-long-source", "a-label-of-9-MB"), "a-long-text"),
    "patches-numpy": "patches-everything",
}  # fmt: skip


def test_every_kind_of_submission_graded_only_with_long_tests_has_a_fast_test():
    for name, by in COVERED_BY.items():
        file, _, test = by.partition("::")
        in_the_class = by in HAND_INS and by not in COVERED_BY
        assert name in HAND_INS and (
            in_the_class or f"def {test}(" in next(Path(__file__).parents[1].rglob(file)).read_text()
        ), by


@pytest.mark.timeout(3600 if LONG else 300)  # all submissions with stock kernels take more than ten minutes
@pytest.mark.parametrize("kernel", every(2, ["warm", "stock"], why=WHY))
@pytest.mark.parametrize("user", every(2, USERS, start=len(USERS) - 1, why=WHY))
@pytest.mark.parametrize("layer", [*every(2, WALLS, start=len(WALLS) - 1, why=WHY), *ABSENT])
def test_a_hostile_class_gains_nothing_and_stops_nothing(folder, layer, user, kernel):
    names, cells = hostile_class.chosen(TINY), Cells.of(TINY)
    if not LONG:
        names = [name for name in names if name not in COVERED_BY]
    hostile_class.build(folder / "class", names, cells)
    graded = hostile_class.grade(folder, layer, kernel == "stock", is_another(user))
    assert set(graded.rows) == {*names, *hostile_class.HONEST}
    assert hostile_class.gained(graded, names, points, cells) == {}
    if LONG and kernel == "warm":
        in_labs = [row for row in graded.rows.values() if row["lab"] in {lab for lab, _ in TINY.values()}]
        assert hostile_class.interviewed(folder, len(in_labs)) == ""


def test_every_finding_has_an_attack_or_a_test_or_a_reason_why_it_is_left():
    found = {
        each.finding for each in (*ATTEMPTS.values(), *CHANNELS.values(), *OVERRUNS.values(), *HAND_INS.values())
    } - {""}
    listed = [
        f"{part}{number}"
        for part, last in (("A", 16), ("B", 11), ("C", 6), ("D", 10), ("E", 7))
        for number in range(1, last + 1)
    ]
    assert list(FINDINGS) == listed and found | set(TESTED) | set(LEFT) == set(listed)


@pytest.mark.parametrize("test", sorted({test for tests in TESTED.values() for test in tests}))
def test_every_test_named_in_the_findings_exists(test):
    file, _, name = test.partition("::")
    assert re.search(rf"^def {name or 'test_'}", (CLONE / file).read_text("utf-8"), re.MULTILINE)


def test_every_attack_says_what_it_must_not_gain():
    assert all(each.gain for each in (*ATTEMPTS.values(), *CHANNELS.values(), *OVERRUNS.values(), *HAND_INS.values()))
    assert len(ATTEMPTS) > 70 and len(HAND_INS) > 70
