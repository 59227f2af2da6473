"""Parallel workers: every task gets a result, even if a task kills its worker."""

import multiprocessing
import os
import signal

import pytest
from processes import until

from labkit.grade.batch.pool import AHEAD, NO_MEMORY, Lost, Pool


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
