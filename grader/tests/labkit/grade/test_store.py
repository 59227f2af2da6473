"""facts.jsonl keeps what was graded, whatever happens while it is written."""

import json
import multiprocessing
import subprocess
from dataclasses import replace

import pytest
from desks import LAB, NEXT, result
from needs import mount

from labkit.grade.batch import Settings
from labkit.grade.batch.grade import Results
from labkit.grade.batch.store import FactStore, join, key_of, whole
from labkit.grade.intake.submission import Submission
from labkit.student.model import project
from labkit.student.model.budgets import Budgets


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
