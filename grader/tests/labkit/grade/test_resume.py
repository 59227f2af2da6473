"""facts.jsonl keeps what was graded: a grader killed at any moment loses and duplicates nothing, and --resume completes the class."""

import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from desks import result
from longer import every, times
from needs import mount, needs
from processes import PATIENCE, first_line, gone, started, until

from labkit.grade.batch import Settings
from labkit.grade.batch.grade import Results
from labkit.grade.batch.store import FactStore, held, join, key_of, whole
from labkit.grade.intake.submission import Submission
from labkit.student.model import project
from labkit.student.model.budgets import Budgets
from labkit.student.model.errors import UserError

LABKIT = Path(sys.executable).with_name("labkit")
LAB, NEXT = "01_spread", "02_levels"
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
KILLS = times(1, 30)  # the same times in every run


@pytest.fixture
def small_class(tmp_path, handout):
    folder = tmp_path / "class"
    for number in range(times(3, 4)):
        copy = handout(LAB, solved=number % 2 == 0)
        copy.insert(f"mine = {number}", after="setup").save(folder / f"student-{number}" / f"{LAB}.ipynb")
    handout(LAB).write("by_hand", "import os; os._exit(1)").save(folder / "student-7" / f"{LAB}.ipynb")
    os.utime(folder / "student-0" / f"{LAB}.ipynb", (1.7e9, 1.7e9))  # different times, unlike files from a download
    (folder / "student-8").mkdir()
    (folder / "student-8" / f"{LAB}.ipynb").write_text("not a notebook")
    return folder


@pytest.mark.timeout(240 + 60 * KILLS)
def test_killed_at_random_moments_and_resumed(small_class, tmp_path, labkit, temporary):
    began = time.monotonic()
    assert labkit("grade", small_class, "--out", tmp_path / "calm", "--jobs", "2").returncode == 0
    whole = time.monotonic() - began
    command = [LABKIT, "grade", small_class, "--out", tmp_path / "killed", "--jobs", "2", "--resume"]
    moments = random.Random(4)
    for _ in range(KILLS):
        environment = {**os.environ, "TMPDIR": str(temporary)}
        with started(*command, cwd=project.current().root, env=environment, **QUIET) as process:
            time.sleep(moments.uniform(0.1, whole))
            process.kill()
            process.wait(PATIENCE)
            assert gone(temporary), "processes of a killed grader still run"
            assert until(lambda: os.listdir(temporary) == [])
    assert labkit("grade", small_class, "--out", tmp_path / "killed", "--jobs", "2", "--resume").returncode == 0
    for name in ("results.json", "gradebook.csv", "final_scores.json"):
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "calm" / name).read_bytes()


def test_a_folder_has_one_writer_at_a_time(small_class, tmp_path, labkit):
    out = tmp_path / "out"
    out.mkdir()
    with held(out):
        done = labkit("grade", small_class, "--out", out)
        assert done.returncode == 2 and "another labkit is writing" in done.stderr and done.stderr.count("\n") == 1
        assert os.listdir(out) == []
    assert labkit("grade", small_class, "--out", out).returncode == 0


def test_a_killed_grader_frees_its_folder_at_once(small_class, tmp_path, handout):
    out = tmp_path / "out"
    handout(LAB).write("midrange", "while True:\n    pass").save(small_class / "student-6" / f"{LAB}.ipynb")
    command = [LABKIT, "grade", small_class, "--out", out, "--jobs", "2"]
    with started(*command, cwd=project.current().root, **QUIET) as process:
        assert until(lambda: (out / "facts.jsonl").exists())
        with pytest.raises(UserError), held(out):
            pass
        process.kill()
        process.wait(PATIENCE)
        with held(out):  # although its workers may still be ending
            pass


@pytest.mark.timeout(240 + 60 * KILLS)
def test_after_a_kill_during_writing_each_file_is_old_or_new(small_class, tmp_path, labkit):
    """All results are cached, so nothing is graded; a new deadline makes every page change."""
    out, forms = tmp_path / "out", {}
    for percent in (10, 20):
        late = tmp_path / f"{percent}.toml"
        late.write_text(f'[deadlines]\n"{LAB}" = 2020-01-01T00:00:00Z\n[late]\npercent = {percent}\nmost = {percent}\n')
        began = time.monotonic()
        assert labkit("grade", small_class, "--out", out, "--deadlines", late).returncode == 0
        whole, forms[late] = time.monotonic() - began, written(out)
    (_, old), (_, new) = forms.items()
    assert old.keys() == new.keys() and len([name for name in old if old[name] != new[name]]) > 5
    moments, later = random.Random(7), [*forms] * KILLS
    for late in later[: 2 * KILLS]:
        command = [LABKIT, "grade", small_class, "--out", out, "--deadlines", late, "--seed", "1"]
        with started(*command, cwd=project.current().root, **QUIET) as process:
            time.sleep(moments.uniform(0.5 * whole, whole))
            process.kill()
            process.wait(PATIENCE)
        found = written(out)
        assert found.keys() == old.keys() and all(found[name] in (old[name], new[name]) for name in found)
    for path in (half := [out / ".results.json-x.part", out / ".gradebook.csv-y.part"]):
        path.touch()
    os.utime(half[0], (0, 0))
    assert labkit("grade", small_class, "--out", out, "--deadlines", late).returncode == 0
    assert written(out) == forms[late] and [path.exists() for path in half] == [False, True]


def test_a_grader_that_is_killed_before_it_has_workers_leaves_nothing(temporary):
    source = (
        "from labkit.grade.batch import worker; from labkit.student.model import project; worker.get_ready(project.current()); "
        "print('ready', flush=True); import time; time.sleep(60)"
    )
    environment = {**os.environ, "TMPDIR": str(temporary)}
    for end in (signal.SIGKILL, signal.SIGTERM):
        with started(sys.executable, "-c", source, env=environment, stdout=subprocess.PIPE, text=True) as grader:
            assert first_line(grader) == "ready" and os.listdir(temporary) != []
            grader.send_signal(end)
            grader.wait(PATIENCE)
            assert until(lambda: os.listdir(temporary) == [])


def written(out: Path) -> dict[Path, bytes]:
    """The content of each written file, by name."""
    seen = (path for path in out.rglob("*") if path.is_file() and not path.name.startswith("."))
    return {path.relative_to(out): path.read_bytes() for path in seen if path.name != "facts.jsonl"}


WRITING = (
    "number = 0\nwhile True:\n    number += 1\n    with open(f'file-{number % 1000}', 'w') as file: file.write('x')"
)


ENDS = [(signal.SIGKILL, "alone"), (signal.SIGTERM, "alone"), (signal.SIGINT, "alone"), (signal.SIGTERM, "group")]
ENDS += [(signal.SIGHUP, "group"), (signal.SIGKILL, "group"), (signal.SIGHUP, "all"), (signal.SIGTERM, "all")]


@needs("isolation")
@pytest.mark.parametrize(("end", "sent_to"), every(3, ENDS, why="another signal"))
def test_files_that_a_kernel_keeps_writing_are_removed_with_its_grader(end, sent_to, handout, tmp_path, temporary):
    """The grader starts a fork server only for the first lab; for the second, the worker starts one.

    `timeout` and a closed terminal end the grader's process group; systemd ends all processes that the grader has started.
    """
    handout(LAB).save(tmp_path / "class" / "ada" / f"{LAB}.ipynb")
    handout(NEXT).insert(WRITING, after="setup").save(tmp_path / "class" / "ada" / f"{NEXT}.ipynb")
    command = [LABKIT, "grade", tmp_path / "class", "--out", tmp_path / "out", "--jobs", "1", "--cell-seconds", "60"]
    with started(*command, env={**os.environ, "TMPDIR": str(temporary)}, **QUIET) as grader:
        assert until(lambda: list(temporary.glob("pymp-*/labkit-*/workdir-*/file-9")))
        below = psutil.Process(grader.pid).children(recursive=True) if sent_to == "all" else []
        (os.killpg if sent_to == "group" else os.kill)(grader.pid, end)
        for process in below:
            with suppress(psutil.NoSuchProcess):  # it has ended with the grader
                process.send_signal(end)
        grader.wait(PATIENCE)
        assert gone(temporary) and os.listdir(temporary) == []


def store_in(folder) -> FactStore:
    return FactStore(project.current(), folder)


def of(student: str) -> Submission:
    return Submission(student, LAB)


def test_a_key_depends_on_content_lab_seed_and_budgets():
    def key(student="ada", lab=LAB, digest="one", **settings) -> str:
        return key_of(project.current(), Settings(**settings), Submission(student, lab, digest=digest))

    assert key("bob") == key()
    others = key(digest="two"), key(lab=NEXT), key(seed=2), key(budgets=Budgets(cell_seconds=1))
    assert len({key(), *others}) == 5


def test_the_last_line_of_a_key_counts_and_is_the_same_for_all_students(tmp_path):
    store = store_in(tmp_path)
    for each in (replace(result(), status="timed_out"), result(), result(lab=NEXT)):
        store.put("b" if each.lab == NEXT else "a", each)
    for each in (store, store_in(tmp_path)):
        assert each.get("a", of("bob")) == replace(result(), submission=of("bob")) and "b" in each
        assert each.get("c", of("bob")) is None and each.code("c") == {}


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "{",
        "[]\n",
        "3\n",
        '{"key": "a", "status": 1}\n',
        '{"key": "a", "checks": [[1]], "reason": 3}\n',
        '{"key": "a", "sta',
    ],
)
def test_damaged_and_torn_lines_are_ignored_and_what_follows_is_read(tmp_path, damage):
    path = tmp_path / "facts.jsonl"
    path.write_text(damage)
    assert store_in(tmp_path).get("a", of("ada")) is None
    store = store_in(tmp_path)
    store.put("b", result())
    store.put("c", result())
    assert all(each.get(key, result().submission) == result() for key in "bc" for each in (store, store_in(tmp_path)))
    path.write_bytes(path.read_bytes()[:-5])
    assert [key for key in "bc" if key in store_in(tmp_path)] == ["b"]


def test_two_graders_may_append_to_the_same_file(tmp_path):
    several = [multiprocessing.Process(target=_put_many, args=(tmp_path, name)) for name in "ab"]
    for each in several:
        each.start()
    for each in several:
        each.join(60)
    store = store_in(tmp_path)
    keys = [f"{name}{number}" for name in "ab" for number in range(50)]
    assert all(store.get(key, result().submission) == result() for key in keys)
    assert len((tmp_path / "facts.jsonl").read_text().splitlines()) == len(keys)


def _put_many(folder, name: str) -> None:
    for number in range(50):
        store_in(folder).put(f"{name}{number}", result())


def test_on_a_full_disk_facts_stay_in_memory_and_no_line_is_torn(tmp_path):
    folder = tmp_path / "small"
    folder.mkdir()
    mount(folder, "size=64k")
    try:
        store = store_in(folder)
        large = replace(result(), pictures={"levels": "x" * 40_000})
        for key in "ab":
            store.put(key, large)
        assert all(store.get(key, large.submission) == large for key in "ab")
        assert [key for key in "ab" if key in store_in(folder)] == ["a"]
        assert [json.loads(line)["key"] for line in (folder / "facts.jsonl").read_text().splitlines()] == ["a"]
    finally:
        subprocess.run(["umount", "-l", folder], timeout=20)


def test_facts_that_were_removed_while_the_class_was_graded_are_reported(tmp_path):
    store = store_in(tmp_path)
    store.put("k", result())
    ada, bob, cem = Results(store, Settings(), [(of("bob"), "k"), (of("ada"), "k"), (of("cem"), "gone")])
    assert [ada, bob] == [replace(result(), submission=each.submission) for each in (ada, bob)]
    assert cem.status == "not_judged" and "grade it again" in cem.why()
    store.path.unlink()
    assert store.get("k", of("ada")) is None


def test_joined_folders_have_all_facts(tmp_path):
    for name in "ab":
        (tmp_path / name).mkdir()
        store_in(tmp_path / name).put(name, result())
    with (tmp_path / "a/facts.jsonl").open("a") as file:
        file.write('{"key": "torn')
    join([tmp_path / name for name in "abc"], tmp_path / "out")
    assert all(store_in(tmp_path / "out").get(name, result().submission) == result() for name in "ab")


def test_writing_nowhere_is_an_error(tmp_path):
    with pytest.raises(OSError), whole(tmp_path / "none" / "file") as file:
        file.write("x")
