"""A cluster writes the same files as one machine, even if workers die. Machines that would grade differently get no work."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, closing
from pathlib import Path
from types import SimpleNamespace
from typing import Self

import dask
import pytest
from course_copy import CourseCopy
from needs import needs
from processes import PATIENCE, gone, started, until

from labkit.grade.cluster import executor, remote, requirements
from labkit.grade.cluster.executor import TIMEOUT, OnWorkers, connected
from labkit.grade.sandbox.faults import MachineFailed
from labkit.student.model import project
from labkit.student.model.errors import UserError

pytestmark = needs("Linux")  # looks for processes in /proc
LAB, NEXT = "01_spread", "02_levels"
FILES = ("results.json", "gradebook.csv", "final_scores.json", "report.html")
LABKIT = Path(sys.executable).with_name("labkit")
LOOKED_AT = {"packages": [], "versions": requirements.local_versions([]), "unsandboxed": False}
TOLD = {"seed": 1, "budgets": {}, "jobs": 1, **LOOKED_AT}  # the same for all batches


@pytest.fixture(scope="module")
def small_class(tmp_path_factory, on_the_tiny_course):
    from handouts import Handout

    folder = tmp_path_factory.mktemp("cluster") / "class"
    for number in range(6):
        copy = Handout(LAB, solved=number % 2 == 0)
        copy.insert(f"mine = {number // 2}", after="setup").save(folder / f"student-{number:02}" / f"{LAB}.ipynb")
    Handout(NEXT, solved=True).save(folder / "student-00" / f"{NEXT}.ipynb")
    Handout(LAB).write("by_hand", "import os; os._exit(1)").save(folder / "student-20" / f"{LAB}.ipynb")
    Handout(LAB, solved=True).insert("mine = 0", after="setup").save(folder / "student-21" / f"{LAB}.ipynb")
    (folder / "student-22").mkdir()
    (folder / "student-22" / f"{LAB}.ipynb").write_text("not a notebook")
    return folder


@pytest.fixture(scope="module")
def local(small_class, labkit):
    """The files from a run on this machine."""
    out = small_class.parent / "local"
    done = labkit("grade", small_class, "--out", out, "--jobs", "2")
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture
def cluster(tmp_path):
    with Cluster(tmp_path) as cluster:
        yield cluster


def same(out: Path, local: Path) -> bool:
    pages = [path.relative_to(local) for path in (local / "students").iterdir()]
    return all((out / name).read_bytes() == (local / name).read_bytes() for name in (*FILES, *pages))


def command(folder: Path, out: Path, cluster: Cluster, *more: object) -> list:
    return [LABKIT, "grade", folder, "--out", out, "--seed", "1", "--cluster", cluster.address, *more]


def run(*words: object) -> subprocess.CompletedProcess:
    environment = {**os.environ, **SHORT}
    return subprocess.run([*map(str, words)], env=environment, capture_output=True, text=True, timeout=240)


@pytest.mark.long("starts two workers; test_cluster_benchmark.py starts one, and tests below kill judges")
def test_one_of_two_workers_is_killed_and_every_row_is_there(cluster, small_class, local, tmp_path):
    """These workers have Dask nannies, as usual, so they cannot start multiprocessing children."""
    places = [cluster.worker(), cluster.worker("--no-nanny")]
    with started(
        *command(small_class, tmp_path / "out", cluster), env={**os.environ, **SHORT}, stderr=subprocess.PIPE
    ) as client:
        assert until(lambda: any(judges(place) for _, place in places)), (tmp_path / "worker-1.log").read_text()
        worker, place = next(each for each in places if judges(each[1]))
        kill(worker)
        assert gone(place), "processes of a killed worker still run"
        _, said = client.communicate(timeout=240)
        assert client.returncode == 0, said
    assert same(tmp_path / "out", local)
    assert until(lambda: not any(judges(place) for _, place in places)), "a worker's judge still runs"


def test_a_lost_scheduler_is_reported_with_how_to_continue():
    workers = OnWorkers(project.current(), SimpleNamespace(status="closed"), "tcp://x:1", False, print)
    workers.heard = time.monotonic()
    with pytest.raises(MachineFailed, match="tcp://x:1: the scheduler is gone; .*--resume"):
        workers._look_around()


@pytest.mark.long("starts a cluster and kills its scheduler, which comes back at once")
def test_grading_continues_with_a_scheduler_that_comes_back(cluster, small_class, local, tmp_path):
    out, (_, place) = tmp_path / "out", cluster.worker("--no-nanny")
    with started(*command(small_class, out, cluster), env={**os.environ, **SHORT}, stderr=subprocess.PIPE) as client:
        assert until(lambda: judges(place))
        kill(cluster.scheduler)
        cluster.start_scheduler()
        cluster.worker("--no-nanny")
        _, said = client.communicate(timeout=240)
        assert client.returncode == 0, said
    assert same(out, local)


@pytest.mark.long("starts a cluster in which one worker has a course error")
def test_a_course_error_on_one_worker_alone_excludes_that_worker(cluster, tmp_path):
    copy = CourseCopy(tmp_path / "course")
    tests = copy / "tests/autograder/spread/test_submission.py"
    lacking = 'import os\nif "LABKIT_LACKS" in os.environ:\n    raise ImportError("no such library")\n'
    tests.write_text(f"{tests.read_text()}\n{lacking}")
    grade = [*command(copy / f"solutions/{LAB}.ipynb", tmp_path / "out", cluster), "--course", copy.folder]
    cluster.worker("--no-nanny", LABKIT_LACKS="it")
    done = run(*grade)
    assert done.returncode == 2 and done.stderr.splitlines()[-1].endswith("no such library"), done.stderr
    cluster.worker("--no-nanny")
    assert until(cluster.registered)
    done = run(*grade)
    assert done.returncode == 0, done.stderr
    (row,) = json.loads((tmp_path / "out/results.json").read_text())
    assert row["score"] == row["max_score"] > 0


@pytest.mark.long("starts a cluster for a client without isolation")
def test_a_client_without_isolation_may_use_workers_that_have_it(cluster, small_class, tmp_path):
    cluster.worker("--no-nanny")
    one = small_class / "student-00" / f"{LAB}.ipynb"
    done = run("env", "LABKIT_LAYER=bubblewrap", "PATH=/nowhere", *command(one, tmp_path / "out", cluster))
    assert done.returncode == 0, done.stderr


def test_a_machine_that_cannot_isolate_submissions_is_unfit_unless_it_is_allowed():
    ours = requirements.local_versions([])
    theirs = {**ours, requirements.LAYER: "limits"}
    assert (
        "--allow-unsandboxed" in requirements.unfit(ours, theirs, False)
        and requirements.unfit(ours, theirs, True) is None
    )
    assert requirements.unfit(ours, {**ours, requirements.LAYER: "landlock"}, False) is None


def test_an_unusable_cluster_is_one_line(small_class, tmp_path, labkit):
    for address in ("tcp://127.0.0.1:1", "nonsense://x", "tls://127.0.0.1:1", "127.0.0.1"):
        timeout = dask.config.set({TIMEOUT: "1s"})
        with timeout, pytest.raises(UserError, match=address) as problem, connected(address):
            pass
        assert "\n" not in str(problem.value)
    done = labkit("grade", small_class, "--out", tmp_path, "--cluster", "127.0.0.1")
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "cannot reach a scheduler" in done.stderr, (
        done.stderr
    )
    without = "import sys; sys.modules['distributed'] = None; from labkit.__main__ import main; main()"
    done = run(sys.executable, "-c", without, "grade", small_class, "--out", tmp_path, "--cluster", "tcp://x:1")
    assert done.returncode == 2 and done.stderr.endswith("pip install 'nblabkit[cluster]'\n")


@needs("isolation")
def test_the_process_of_a_batch_follows_its_worker_and_no_thread(small_class, tmp_path):
    """Linux can end a process together with the thread that started it, and a Dask worker's threads come and go."""
    path, begun = small_class / "student-00" / f"{LAB}.ipynb", []
    course = requirements.unpack(requirements.pack(project.current()), tmp_path)
    sent = [("key", LAB, requirements.digest_of(path.read_bytes()), path.read_bytes())]
    thread = threading.Thread(target=lambda: begun.append(remote.Judge(tmp_path, course, TOLD)))
    thread.start()
    thread.join(PATIENCE)
    with closing(begun[0]) as judge:
        ((key, result),) = judge.judge(sent)["results"]
        assert (key, result["status"], result["reason"]) == ("key", "graded", None)
    assert judge.process.returncode is not None and [*tmp_path.iterdir()] == [course]


@pytest.fixture
def judge_in(small_class, tmp_path):
    """Grade a student's submission in the process that graded the last one, or in a new process."""
    course = requirements.unpack(requirements.pack(project.current()), tmp_path)

    def judge_in(student: str, **more: object) -> dict:
        content = (small_class / student / f"{LAB}.ipynb").read_bytes()
        sent = [(student, LAB, requirements.digest_of(content), content)]
        return remote.judge_in(tmp_path, course, sent, {**TOLD, **more})

    yield judge_in
    remote.end_judge()


@needs("isolation")
def test_a_process_grades_batch_after_batch_and_is_replaced_when_it_has_ended(judge_in):
    first = judge_in("student-01")
    process = remote._judge.process
    assert judge_in("student-01") == first and remote._judge.process is process
    process.kill()
    process.wait(PATIENCE)
    assert judge_in("student-01") == first and remote._judge.process is not process


@pytest.mark.long("waits until an idle process exits")
def test_a_process_that_ended_by_itself_is_replaced(judge_in):
    first = judge_in("student-01")
    process = remote._judge.process
    assert until(lambda: remote._judge.connection.poll()), "the idle process did not exit"
    assert judge_in("student-01") == first and remote._judge.process is not process


@needs("isolation")
def test_a_process_that_ends_during_a_batch_says_why_and_other_settings_get_another(judge_in):
    with pytest.raises(RuntimeError, match="the grading process ended .*it has labkit"):
        judge_in("student-01", versions={**TOLD["versions"], "labkit": "another"})
    ((_, result),) = judge_in("student-01", seed=2)["results"]
    assert result["seed"] == 2


def test_the_course_travels_as_the_same_bytes_and_is_unpacked_once(tmp_path):
    packed = requirements.pack(project.current())
    assert packed == requirements.pack(project.current())
    folder = requirements.unpack(packed, tmp_path)
    before = folder.stat().st_mtime_ns
    assert requirements.unpack(packed, tmp_path) == folder and folder.stat().st_mtime_ns == before
    assert [path.name for path in tmp_path.iterdir()] == [folder.name]
    found = project.read(folder)
    assert found.package == project.current().package and found.tests_of(LAB).exists()


def test_a_course_archive_has_all_that_tests_can_import_and_no_samples(tmp_path):
    copy = CourseCopy(tmp_path / "course")
    (copy / "src/tools").mkdir()
    (copy / "src/tools/__init__.py").write_text("import hypothesis.strategies\nimport json\n")
    (copy / "src/alone.py").write_text("from pytest_timeout import anything\n")
    (copy / "tests/autograder/spread/samples").mkdir()
    (copy / "tests/autograder/spread/samples/spread.py").write_text("import playwright\n")
    (copy / "src/data").mkdir()
    (copy / "src/data/large.csv").touch()
    pack = (
        "import sys; from labkit.grade.cluster import requirements; from labkit.student.model import project; "
        "sys.stdout.buffer.write(requirements.pack(project.current()))"
    )
    environment = {**os.environ, project.VARIABLE: str(copy.folder)}
    packed = subprocess.run([sys.executable, "-c", pack], env=environment, stdout=subprocess.PIPE, timeout=60).stdout
    folder = requirements.unpack(packed, tmp_path)
    assert {path.name for path in (folder / "src").iterdir()} == {"tiny_labs", "ruler", "tools", "alone.py"}
    tests = folder / "tests/autograder"
    assert sorted(path.relative_to(tests).as_posix() for path in tests.rglob("*.py")) == [
        *("__init__.py", "levels/__init__.py", "levels/reference.py", "levels/test_submission.py"),
        *("spread/__init__.py", "spread/reference.py", "spread/test_submission.py"),
    ]
    assert {"numpy", "hypothesis", "json", "pytest_timeout"} <= requirements.imported(packed)
    deciding = requirements.deciding(requirements.imported(packed))
    assert {"hypothesis", "pytest-timeout", "ipykernel"} <= {*deciding} and "nblabkit" not in deciding
    lacks = {**requirements.grading_versions(deciding), "hypothesis": "absent"}
    assert requirements.unfit(requirements.local_versions(deciding), lacks, True).startswith(
        "it has hypothesis absent, but this machine has "
    )


def test_a_connection_that_closes_slowly_hides_no_error(monkeypatch):
    class Slow:
        def close(self, timeout: float) -> None:
            raise TimeoutError

    async def reach(address: str) -> None:
        pass

    monkeypatch.setattr(executor, "Client", lambda *_, **__: Slow())
    monkeypatch.setattr(executor, "_reach", reach)
    with pytest.raises(KeyboardInterrupt), connected("tcp://x:1"):
        raise KeyboardInterrupt


def test_no_name_in_a_course_archive_leads_out_of_its_folder(tmp_path):
    import io
    import zipfile

    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("../outside", "x")
        archive.writestr("/outside", "x")
    folder = requirements.unpack(packed.getvalue(), tmp_path / "place")
    assert [path.name for path in tmp_path.iterdir()] == ["place"] and [path.name for path in folder.iterdir()] == [
        "outside"
    ]


DASK = Path(sys.executable).with_name("dask")
SHORT = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "6s"}  # because the default is half a minute
HERE = {name: value for name, value in os.environ.items() if name != project.VARIABLE}


class Cluster:
    """A cluster's processes, which end with the test. The address is known once the scheduler runs."""

    def __init__(self, folder: Path, protocol: str = "tcp", **environment: str):
        self.folder, self.protocol, self.stack, self.workers = folder, protocol, ExitStack(), 0
        self.environment = {**HERE, **SHORT, **environment}
        self.port, self.address = 0, ""
        self.start_scheduler()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.stack.close()

    def start_scheduler(self) -> None:
        """Start the scheduler: the first time on a free port, after that on the same port again."""
        told = self.folder / "scheduler.json"
        told.unlink(missing_ok=True)
        # The scheduler has no labkit, because only plain data pass through it.
        without = self.folder / "without"
        without.mkdir(exist_ok=True)
        (without / "labkit.py").write_text("raise ModuleNotFoundError(\"No module named 'labkit'\", name='labkit')\n")
        options = [
            "--host",
            f"{self.protocol}://127.0.0.1",
            "--port",
            self.port,
            "--no-dashboard",
            "--scheduler-file",
            told,
        ]
        self.scheduler = self._start("scheduler", options, {**self.environment, "PYTHONPATH": str(without)})
        assert until(lambda: told.exists() and told.read_text().strip()), "the scheduler did not start in time"
        self.address = json.loads(told.read_text())["address"]
        self.port = int(self.address.rpartition(":")[2])

    def worker(
        self, *options: object, before: tuple[object, ...] = (), **environment: str
    ) -> tuple[subprocess.Popen, Path]:
        """Start a worker with one thread. Returns its process and its folder.

        `before`: words to put before the worker's own command.
        """
        self.workers += 1
        place = self.folder / f"w{self.workers}"
        place.mkdir()
        options = [self.address, "--nthreads", 1, "--no-dashboard", "--local-directory", place, *options]
        environment = {**self.environment, "WORKER": str(place), **environment}
        return self._start("worker", options, environment, before), place

    def registered(self) -> bool:
        """Whether the scheduler knows all workers."""
        logs = [self.folder / f"worker-{number}.log" for number in range(1, self.workers + 1)]
        return all(b"Registered to" in log.read_bytes() for log in logs)

    def _start(self, part: str, options: list, environment: dict, before: tuple = ()) -> subprocess.Popen:
        log = self.stack.enter_context(open(self.folder / f"{part}-{self.workers}.log", "ab"))
        command = started(*before, DASK, part, *options, cwd=self.folder, env=environment, stdout=log, stderr=log)
        return self.stack.enter_context(command)


def kill(process: subprocess.Popen) -> None:
    """Kill the process and its nanny without warning."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(PATIENCE)


def judges(place: Path) -> bool:
    """Whether this worker is grading a batch."""
    return any(place.glob("dask-scratch-space/*/judge-*/batch-*"))
