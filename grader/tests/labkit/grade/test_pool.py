"""Parallel workers: every task gets a result, even if a task kills its worker. Batches for a cluster get smaller towards the end."""

import multiprocessing
import os
import signal

import pytest
from processes import until

from labkit.grade.batch.pool import AHEAD, NO_MEMORY, TRIES, Lost, Pool
from labkit.grade.cluster.batches import LEAST, MOST, MOST_BYTES, Batches
from labkit.grade.intake.choose import digest_of
from labkit.grade.intake.submission import Submission
from labkit.student.model.budgets import Budgets


def start():
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(target=work, args=(theirs,), daemon=True)
    process.start()
    theirs.close()
    return process, ours


def work(connection):
    for own, task in enumerate(iter(connection.recv, None)):
        match task:
            case ("die", _):
                os.kill(os.getpid(), signal.SIGKILL)
            case ("die once", marker) if not os.path.exists(marker):
                open(marker, "w").close()
                os._exit(3)
            case ("wait", marker):
                until(lambda: os.path.exists(marker))
            case ("make room", answered) if answered is None or own >= answered:
                return
        connection.send((task, os.getpid()))


def in_processes(tasks, jobs, start, seconds=60.0):
    with Pool(jobs, start, seconds) as pool:
        yield from pool.run(tasks)


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_every_task_has_its_own_answer(jobs):
    answers = dict(in_processes(range(23), jobs, start))
    assert sorted(answers) == list(range(23)) and all(answer[0] == task for task, answer in answers.items())
    assert len({worker for _, worker in answers.values()}) <= jobs


def test_a_task_that_kills_its_worker_twice_has_no_answer_and_costs_no_other_its_own(tmp_path):
    once = ("die once", str(tmp_path / "marker"))
    tasks = [*range(5), ("die", 1), *range(5, 10), ("die", 2), *range(10, 12), once]
    answers = dict(in_processes(tasks, 2, start))
    assert set(answers) == set(tasks)
    assert {task for task, answer in answers.items() if isinstance(answer, Lost)} == {("die", 1), ("die", 2)}
    assert answers["die", 1] == Lost("process", 2, -signal.SIGKILL)


def test_a_worker_may_be_replaced_between_tasks():
    tasks = [(each, 1) for each in (1, 2, 3)] + [("make room", 1), ("make room", 1), 4]
    answers = dict(in_processes(tasks, 1, start))
    assert set(answers) == set(tasks) and not any(isinstance(answer, Lost) for answer in answers.values())


def test_a_task_that_every_fresh_worker_leaves_is_not_tried_for_ever():
    answers = dict(in_processes([1, ("make room", None), 2], 1, start))
    assert answers["make room", None] == Lost("process", 2, 0) and answers[2][0] == 2


def test_a_slow_task_holds_only_its_own_worker(tmp_path):
    slow, order = ("wait", str(tmp_path / "marker")), []
    for task, _ in in_processes([slow, *range(40)], 2, start):
        order.append(task)
        if len(order) == 41 - AHEAD:  # all but those already sent to the same worker
            (tmp_path / "marker").touch()
    assert order.index(slow) >= len(order) - AHEAD


def test_closing_the_answers_early_leaves_no_worker():
    before = set(multiprocessing.active_children())
    answers = in_processes([1, ("wait", "nothing"), ("wait", "more")], 2, start)
    next(answers)
    answers.close()
    assert set(multiprocessing.active_children()) == before


def test_a_task_that_takes_too_long_costs_no_other_its_own():
    slow = {("wait", "nothing"), ("wait", "more")}
    tasks = [1, *slow, *range(2, 9)]
    answers = dict(in_processes(tasks, 2, start, seconds=8.0))  # includes the start of a worker
    assert set(answers) == set(tasks)
    assert {task for task, answer in answers.items() if answer == Lost("time")} == slow


def test_workers_stay_for_the_next_lot():
    with Pool(2, start, 60.0) as pool:
        first, second = (dict(pool.run(range(start, start + 20))) for start in (0, 20))
    workers = {worker for _, worker in first.values()}
    assert {worker for _, worker in second.values()} <= workers and len(workers) == 2


AGAIN = "again"
CRASHED = "crashed", "grading it crashed the grader's own process twice"
DIED = "not_judged", "the grader's own process died twice while grading it"
TOO_LONG = "timed_out", "grading it took too long"
WORKERS = "not_judged", "3 cluster workers died or failed while grading this submission"


@pytest.mark.parametrize(
    ("lost", "memory_is_whole", "becomes"),
    [
        (Lost.by_exit(-signal.SIGABRT, 1), True, AGAIN),
        (Lost.by_exit(-signal.SIGABRT, 2), True, CRASHED),
        (Lost.by_exit(-signal.SIGSEGV, 2), True, CRASHED),
        (Lost.by_exit(-signal.SIGBUS, 2), True, CRASHED),
        (Lost.by_exit(NO_MEMORY, 2), True, CRASHED),
        (Lost.by_exit(-signal.SIGABRT, 2), False, DIED),
        (Lost.by_exit(-signal.SIGKILL, 1), True, AGAIN),
        (Lost.by_exit(-signal.SIGKILL, 2), True, DIED),
        (Lost.by_exit(0, 2), True, DIED),
        (Lost.by_exit(1, 2), True, DIED),
        (Lost.by_exit(None, 2), True, DIED),
        (Lost.by_exit(-signal.SIGXCPU, 1), True, TOO_LONG),
        (Lost("time"), True, TOO_LONG),
        (Lost("machine", 1), True, AGAIN),
        (Lost("worker", 0), True, AGAIN),
        (Lost("worker", 2), True, AGAIN),
        (Lost("worker", 3), True, WORKERS),
        (
            Lost("error", reason="KeyError: 1"),
            True,
            ("not_judged", "the grader failed; please report this error: KeyError: 1"),
        ),
    ],
)
def test_outcome_of_lost_submissions(lost, memory_is_whole, becomes):
    """Both executors follow this table."""
    assert (AGAIN if lost.is_tried_again else lost.outcome(memory_is_whole)) == becomes
    assert Lost("machine", 2).is_tried_again is False  # after two tries, the judge's own row counts


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
