"""Machine faults are not grading results: the last line reports them, the exit code is 3, and the next run completes the class."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import nbformat
import psutil
import pytest
from cgroups import cgroup
from downloads import chosen
from handouts import Handout
from longer import every, times
from needs import mount, needs, skip_without
from processes import until

from labkit.grade.sandbox.faults import memory_kills
from labkit.student.model import project

LAB = "01_spread"
COMMAND = Path(sys.executable).with_name("labkit")


@pytest.fixture(scope="module")
def calm(tmp_path_factory, labkit):
    """A class, and its results when nothing fails."""
    folder = tmp_path_factory.mktemp("calm")
    for number in range(4):
        copy = Handout(LAB, solved=number != 1).insert(f"mine = {number}", after="setup")
        copy.save(folder / "class" / f"student-{number}" / f"{LAB}.ipynb")
    assert labkit("grade", folder / "class", "--out", folder / "out").returncode == 0
    return folder


@pytest.fixture
def small_class(calm, tmp_path):
    return shutil.copytree(calm / "class", tmp_path / "class")


@pytest.fixture
def reference(calm):
    return reports(calm / "out")


def reports(out: Path) -> list[bytes]:
    return [(out / name).read_bytes() for name in ("results.json", "gradebook.csv")]


def failed_loudly(done) -> bool:
    last = done.stderr.splitlines()[-1]
    return done.returncode == 3 and "Traceback" not in done.stderr and last.startswith("labkit")


def test_pytest_takes_nothing_from_the_environment(small_class, tmp_path, labkit, reference):
    words = {"PYTEST_ADDOPTS": "-n auto", "PYTEST_PLUGINS": "nothing_of_this_name", "CI": "1"}
    done = labkit("grade", small_class, "--out", tmp_path / "out", env={**os.environ, **words})
    assert done.returncode == 0, done.stderr
    assert reports(tmp_path / "out") == reference


def test_too_little_memory_for_any_kernel_is_reported_first(small_class, tmp_path, run_command, labkit, reference):
    limited = run_command(
        "sh", "-c", 'ulimit -v 200000; exec "$@"', "sh", COMMAND, "grade", small_class, "--out", tmp_path / "out"
    )
    assert failed_loudly(limited) and "ulimit -v" in limited.stderr and len(limited.stderr.splitlines()) == 1
    assert labkit("grade", small_class, "--out", tmp_path / "out").returncode == 0
    assert reports(tmp_path / "out") == reference


@pytest.fixture
def small_disk():
    """Mount a file system of a given size. Its path is short enough for temporary files."""
    mounted = []

    def new_disk(options: str) -> Path:
        folder = Path(tempfile.mkdtemp(prefix="lk-disk-", dir="/tmp"))
        folder.chmod(0o755)
        mount(folder, options)
        mounted.append(folder)
        return folder

    yield new_disk
    for folder in mounted:
        subprocess.run(["umount", "--lazy", folder], timeout=60)
        folder.rmdir()


@pytest.mark.parametrize("options", every(2, ["size=64k", "nr_inodes=12"], why="the other way to fill a disk"))
def test_a_full_disk_for_results_loses_nothing(small_class, labkit, reference, small_disk, options):
    out = small_disk(options) / "out"
    done = labkit("grade", small_class, "--out", out)
    if done.returncode:
        assert failed_loudly(done) and "No space left" in done.stderr
    subprocess.run(["mount", "-o", "remount,size=8M,nr_inodes=1000", out.parent], check=True, timeout=60)
    assert labkit("grade", small_class, "--out", out).returncode == 0
    assert reports(out) == reference


@pytest.mark.parametrize(
    "options", every(2, ["size=60k,mode=1777", "nr_inodes=12,mode=1777"], start=1, why="the other way to fill a disk")
)
def test_a_full_temporary_disk_is_no_grading_result(small_class, tmp_path, labkit, reference, small_disk, options):
    folder = small_disk(options)
    done = labkit("grade", small_class, "--out", tmp_path / "out", env={**os.environ, "TMPDIR": str(folder)})
    assert failed_loudly(done), done.stderr
    assert labkit("grade", small_class, "--out", tmp_path / "out").returncode == 0
    assert reports(tmp_path / "out") == reference


@needs("Linux")
def test_a_killed_fork_server_costs_no_points(small_class, tmp_path, temporary, reference, handout):
    """The server's kernels die with it, and the submission being graded is graded again at once."""
    slow = handout(LAB, solved=True)
    waits = "open('begun', 'w').close(); import time; time.sleep(2)\n"
    slow.write("midrange", waits + "".join(slow.cell("midrange")["source"]))
    slow.save(small_class / "student-9" / f"{LAB}.ipynb")
    grader = subprocess.Popen(
        [COMMAND, "grade", small_class, "--out", tmp_path / "out", "--jobs", "2", "--seed", "1"], stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(temporary)},
    )  # fmt: skip
    try:
        assert until(lambda: [*temporary.glob("labkit-*/workdir-*/begun")])
        for process in psutil.Process(grader.pid).children(recursive=True):
            with suppress(psutil.Error):  # it ended with the previous one
                if any(word.endswith("fork_server.py") for word in process.cmdline()[:4]) and process.name() != "bwrap":
                    process.send_signal(signal.SIGKILL)
        _, said = grader.communicate(timeout=120)
    finally:
        grader.kill()
    assert grader.returncode == 0, said
    *others, last = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))
    assert others == json.loads(reference[0]) and (last["status"], last["score"]) == ("graded", 6)


def test_running_out_of_memory_is_no_grading_result(small_class, tmp_path, labkit, reference):
    """The machine ends the process that uses most: a fork server, a kernel, a worker, or the grader itself."""
    codes = []
    for mib in (60, 75, 90)[:: times(3, 1)]:
        with cgroup("memory", ()) as folder:
            (folder / "memory.limit_in_bytes").write_text(str(mib * 2**20))
            enter = ["sh", "-c", 'echo $$ > "$0"; exec "$@"', folder / "cgroup.procs"]
            command = [*enter, COMMAND, "grade", small_class, "--out", tmp_path / "out", "--jobs", "4", "--seed", "1"]
            done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=200)
        if done.returncode != -signal.SIGKILL:
            assert failed_loudly(done) or done.returncode == 0 and reports(tmp_path / "out") == reference, done.stderr
        codes.append(done.returncode)
    assert any(codes)  # memory was too small at least once
    assert labkit("grade", small_class, "--out", tmp_path / "out").returncode == 0
    assert reports(tmp_path / "out") == reference


def test_memory_that_runs_out_elsewhere_is_no_excuse():
    """A kernel that ended itself is to blame, unless memory ran out in its own cgroup."""
    takes_much = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'bytearray(2**28)'], timeout=60)"
    count = "from labkit.grade.sandbox.faults import memory_kills; before = memory_kills(); {}; print(memory_kills() - before)"
    with cgroup("memory", ()) as folder:
        (folder / "memory.limit_in_bytes").write_text(str(64 * 2**20))
        inside = ["sh", "-c", 'echo $$ > "$0"; exec "$@"', str(folder / "cgroup.procs"), sys.executable, "-c"]
        here = subprocess.run([*inside, count.format(takes_much)], capture_output=True, text=True, timeout=60)
        before = memory_kills()
        subprocess.run([*inside, takes_much], timeout=60)
    assert (here.stdout, memory_kills() - before) == ("1\n", 0), here.stderr


def test_a_file_that_changes_during_grading_is_not_graded_in_anothers_place(tmp_path, handout):
    from labkit.grade.batch import Settings
    from labkit.grade.batch.grade import grade_class

    path = handout(LAB).insert("mine = 1").save(tmp_path / "class" / "ada" / f"{LAB}.ipynb")
    submissions = chosen(tmp_path / "class")
    handout(LAB, solved=True).save(path)
    (row,) = grade_class(project.current(), submissions, tmp_path / "out", Settings(), lambda result: None)
    assert row.status == "not_judged" and "changed" in row.why() and row.score == 0
    (again,) = grade_class(project.current(), submissions, tmp_path / "out", Settings(resume=True), lambda result: None)
    assert again.status == "not_judged" and "changed" in again.why()  # it is never taken from the store


@pytest.fixture
def known(calm, tmp_path):
    """A class with cached results, so its reports need no new run."""
    (tmp_path / "out").mkdir()
    shutil.copy(calm / "out/facts.jsonl", tmp_path / "out")


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    "streams",
    every(3, ["2>&1 | head -1", "> /dev/full", "2> /dev/full", ">&- 2>&-", "2>&1 | true"], 1, "another closed stream"),
)
def test_closed_or_full_output_streams_lose_no_results(small_class, tmp_path, run_command, reference, streams):
    if "full" in streams and not os.path.exists("/dev/full"):
        skip_without("/dev/full")
    script = f'set -o pipefail; "$1" grade "$2" --out "$3" --seed 1 {streams}; echo "rc=$?" > "$4"'
    done = run_command("bash", "-c", script, "bash", COMMAND, small_class, tmp_path / "out", tmp_path / "code")
    assert reports(tmp_path / "out") == reference
    assert (tmp_path / "code").read_text() == "rc=0\n" and "Traceback" not in done.stderr + done.stdout


@pytest.mark.parametrize("streams", ["2>&1 | true", "2> /dev/full", ">&- 2>&-", "> /dev/full"])
@pytest.mark.parametrize("command", [[COMMAND], [sys.executable, "-m", "labkit"]], ids=["labkit", "python -m labkit"])
def test_a_usage_error_keeps_its_exit_code_without_a_reader(command, streams, tmp_path, run_command):
    """Python would flush the closed stream again at exit, and replace the exit code by 120."""
    script = f'set -o pipefail; "$@" nonsense {streams}; echo "rc=$?" > "$0"'
    run_command("bash", "-c", script, tmp_path / "code", *command)
    assert (tmp_path / "code").read_text() == "rc=2\n"


def test_a_full_output_stream_is_one_line_and_exit_3(run_command):
    done = run_command("sh", "-c", '"$0" --version > /dev/full', COMMAND)
    assert (done.returncode, done.stderr) == (3, "labkit: No space left on device\n")


def test_an_interrupt_without_a_reader_keeps_its_exit_code(run_command):
    hit = "def main(**_): raise KeyboardInterrupt"
    hit = f"import labkit.cli\n{hit}\nlabkit.cli.cli.main = main\nfrom labkit.__main__ import main; main()"
    done = run_command("sh", "-c", '"$0" -c "$1" 2> /dev/full', sys.executable, hit)
    assert done.returncode == 130


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize("encoding", every(2, ["ascii", "latin-1"]))
def test_an_old_terminal_shows_what_it_can(small_class, tmp_path, run_command, encoding):
    (small_class / "student-1").rename(small_class / "学生")
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    command = [COMMAND, "grade", small_class, "--out", tmp_path / "out", "--seed", "1"]
    done = run_command(*command, env=environment, encoding=encoding)
    assert done.returncode == 0 and "\\u5b66\\u751f" in done.stdout and "Traceback" not in done.stderr


def test_an_interrupt_during_startup_is_one_line(small_class, tmp_path):
    """An interrupt before Python runs our code is reported by Python itself."""
    for moment in range(0, 300, times(100, 15)):
        grader = subprocess.Popen(
            [sys.executable, "-c", "import sys; sys.argv[0] = 'labkit'; print(flush=True); from labkit.__main__ import main; main()",
             "grade", small_class, "--out", tmp_path / str(moment)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        grader.stdout.readline()
        time.sleep(moment / 1000)
        grader.send_signal(signal.SIGINT)
        _, said = grader.communicate(timeout=60)
        if "Traceback" in said and f"{os.sep}labkit{os.sep}" not in said:
            continue  # it came before our code ran
        assert "Traceback" not in said and said.splitlines()[-1].startswith("labkit: interrupted"), (moment, said)


def test_an_interrupt_that_became_another_error_is_one_line(run_command):
    """Python 3.11 turns an interrupt into another error while a class is being created.

    This can happen when modules with dataclasses are imported.
    """
    hit = "import labkit.cli\ndef main(**_):\n    class Hit:\n        here = type('_', (), {'__set_name__': interrupt})()\n"
    hit = f"def interrupt(*_): raise KeyboardInterrupt\n{hit}labkit.cli.cli.main = main\nfrom labkit.__main__ import main; main()"
    done = run_command(sys.executable, "-c", hit)
    assert done.returncode == 130 and done.stderr.startswith("labkit: interrupted") and "Traceback" not in done.stderr


THREADS = """
import threading, time
threading.stack_size(32768)
def spread(values):
    while True:
        try: threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        except RuntimeError: time.sleep(0.1)"""


def test_threads_of_one_submission_cost_no_other_its_row(tmp_path, handout):
    """These threads once kept other kernels from starting, so other submissions went ungraded or seemed to have exited on their own."""
    for number in range(2):
        hostile = handout(LAB, solved=True).write("spread", THREADS).insert(f"mine = {number}")
        hostile.save(tmp_path / "class" / f"{number}-threads" / f"{LAB}.ipynb")
        for each in range(times(1, 2)):
            honest = handout(LAB, solved=True).insert(f"mine = {number}{each}")
            honest.save(tmp_path / "class" / f"{number}-honest-{each}" / f"{LAB}.ipynb")
    with cgroup("pids", ()) as folder:
        (folder / "pids.max").write_text("400")
        enter = ["sh", "-c", 'echo $$ > "$0"; exec "$@"', folder / "cgroup.procs"]
        command = [*enter, COMMAND, "grade", tmp_path / "class", "--out", tmp_path / "out", "--jobs", "3"]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    for row in json.loads((tmp_path / "out" / "results.json").read_text("utf-8")):
        assert row["status"] == ("crashed" if "threads" in row["student"] else "graded"), row["reason"]
        assert row["score"] == (3 if "threads" in row["student"] else 6)


FILLS = """
import time
for n in range(40):
    with open(str(n), "wb") as file:
        try: file.write(bytes(10 * 2**20))
        except OSError: break
until = time.monotonic() + 30
while time.monotonic() < until: time.sleep(0.1)"""


@pytest.mark.parametrize(
    "kernel", [(), pytest.param(("--stock-kernel",), marks=pytest.mark.long("the same test in stock kernels"))]
)
def test_a_disk_that_a_submission_fills_is_its_own_result(small_class, tmp_path, labkit, handout, small_disk, kernel):
    """The disk is smaller than the budget. Other submissions have space again as soon as this one is stopped."""
    handout(LAB, solved=True).write("spread", FILLS).save(small_class / "a-fills" / f"{LAB}.ipynb")
    slow = handout(LAB, solved=True)
    slow.write("midrange", "import time; time.sleep(2)\n" + "".join(slow.cell("midrange")["source"]))
    slow.save(small_class / "b-slow" / f"{LAB}.ipynb")
    environment = {**os.environ, "TMPDIR": str(small_disk("size=120m,mode=1777"))}
    done = labkit("grade", small_class, "--out", tmp_path / "out", "--jobs", "2", *kernel, env=environment)
    assert done.returncode == 0, done.stderr
    rows = {row["student"]: row for row in json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))}
    assert rows["a-fills"]["status"] == "crashed" and "MiB of disk" in rows["a-fills"]["reason"]
    assert rows["b-slow"]["score"] == rows["student-0"]["score"] == rows["student-0"]["max_score"]


@pytest.mark.parametrize("home", ["/dev/null/home", "/dev/null"], ids=["missing", "no folder"])
def test_a_notebook_with_figures_passes_nbval_without_a_home(home, tmp_path):
    """Matplotlib then prints a warning, which is not in the stored outputs. Only root may write anywhere, so no home is closed to it."""
    cell = nbformat.v4.new_code_cell("import matplotlib.pyplot as plt\nprint(1)", execution_count=1)
    cell.outputs = [nbformat.v4.new_output("stream", text="1\n")]
    notebook = nbformat.v4.new_notebook(cells=[cell])
    (tmp_path / "lab.ipynb").write_text(json.dumps(notebook))
    unset = {"MPLCONFIGDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "MPLBACKEND"}
    own = {name: value for name, value in os.environ.items() if name not in unset} | {"HOME": home}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "labkit.grade.judge.plugin",
        "--nbval",
        "-q",
        "-p",
        "no:cacheprovider",
    ]
    done = subprocess.run([*command, "lab.ipynb"], cwd=tmp_path, env=own, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0 and "1 passed" in done.stdout, done.stdout
