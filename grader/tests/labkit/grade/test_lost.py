"""What happens to a submission whose grading process died: both executors follow the same table."""

import signal

import pytest

from labkit.grade.batch.pool import NO_MEMORY, Lost

AGAIN = "again"
CRASHED = "crashed", "grading it crashed the grader's own process twice"
DIED = "not_judged", "the grader's own process died twice while grading it"
TOO_LONG = "timed_out", "grading it took too long"
WORKERS = "not_judged", "3 cluster workers died or failed while grading this submission"


def fate(lost: Lost, memory_is_whole: bool = True):
    return AGAIN if lost.is_tried_again else lost.outcome(memory_is_whole)


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
    assert fate(lost, memory_is_whole) == becomes
    assert Lost("machine", 2).is_tried_again is False  # after two tries, the judge's own row counts
