"""Batches have one lab each, a limited number of submissions and bytes, and limited retries; they get smaller towards the end."""

import os

import pytest

from labkit.grade.batch.pool import TRIES
from labkit.grade.cluster.batches import LEAST, MOST, MOST_BYTES, Batches
from labkit.grade.intake.choose import digest_of
from labkit.grade.intake.submission import Submission
from labkit.student.model.budgets import Budgets


@pytest.fixture
def queue(tmp_path):
    """A queue of `count` submissions of a lab, all from one file of a given size."""

    def make(count: int, lab: str = "01_spread", size: int = 10) -> dict[str, Submission]:
        path = tmp_path / f"{lab}-{size}"
        path.write_bytes(b"x" * size)
        digest = digest_of(path.read_bytes())
        return {f"{lab} {number}": Submission("", lab, path, digest=digest) for number in range(count)}

    return make


LATER = 9  # after this many batches, a worker gets batches of full size


def sizes(batches: Batches, threads: int = 1, everywhere: int = 2) -> list[int]:
    found = []
    while batch := batches.next(threads, everywhere, LATER):
        found.append(len(batch.submissions))
    return found


def test_batches_get_smaller_towards_the_end(queue):
    found = sizes(Batches(queue(1_000)))
    assert sum(found) == 1_000 and found[0] == MOST and set(found[-3:-1]) == {LEAST}
    assert found == sorted(found, reverse=True)


def test_a_worker_begins_with_little_and_gets_more_each_time(queue):
    batches = Batches(queue(10_000))
    found = [len(batches.next(2, 4, before).submissions) for before in range(12)]
    assert found[:3] == [2 * LEAST, 4 * LEAST, 8 * LEAST] and found[-1] == 2 * MOST and found == sorted(found)


def test_a_worker_with_threads_gets_more(queue):
    assert sizes(Batches(queue(2_000)), threads=4, everywhere=4)[0] == 4 * MOST


def test_a_batch_is_of_one_lab(queue):
    batches = Batches({**queue(3), **queue(2, "02_levels")})
    assert sizes(batches) == [3, 2] and not batches


def test_bytes_are_bounded_but_one_submission_always_goes(queue):
    assert sizes(Batches(queue(4, size=MOST_BYTES // 2))) == [2, 2]
    assert sizes(Batches(queue(2, size=2 * MOST_BYTES))) == [1, 1]


def test_lost_batches_are_sent_first_and_only_so_often(queue):
    batches = Batches(queue(2 * LEAST))
    first = batches.next(1, 2, LATER)
    for _ in range(TRIES["worker"] - 1):
        assert batches.again(first, blamed=True) and batches.next(1, 2, LATER) is first
    assert (
        batches.again(first, blamed=False) and batches.next(1, 2, LATER) is first
    )  # the scheduler failed, not a worker
    assert not batches.again(first, blamed=True) and batches.next(1, 2, LATER) is not first


def test_a_file_with_other_bytes_is_not_sent(queue):
    batch = Batches(queue(1)).next(1, 2, LATER)
    assert len(batch.read(Budgets())) == len(batch.submissions) == 1
    path = next(iter(batch.submissions.values())).path
    path.write_bytes(b"other")
    assert batch.read(Budgets()) == []
    path.unlink()
    assert batch.read(Budgets()) == []
    os.mkfifo(path)  # opening it would block
    assert batch.read(Budgets()) == []
