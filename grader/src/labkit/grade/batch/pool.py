"""Run tasks in several processes at once. If a process dies, only its current task is lost: it is run again, or reported."""

from __future__ import annotations

import signal
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Self, TypeVar, cast

Task = TypeVar("Task", bound=Hashable)

AHEAD = 2  # tasks sent to a worker: the current and the next one, so that it never waits
FAREWELL_SECONDS = 5.0  # time for an idle worker to end
# How often a submission is graded at most, by cause of failure.
TRIES = {
    "machine": 2,  # the process reports that the machine failed; by the next try, a killed fork server has been replaced
    "process": 2,  # the process ended
    "worker": 3,  # a cluster's worker was lost with its batch, or failed on it
    "time": 1,  # another try would take as long
    "error": 1,  # the process reports an error
}
NO_MEMORY = 127  # glibc's exit code for a process in which a thread got no memory
BROKE = (
    -signal.SIGABRT,
    -signal.SIGSEGV,
    -signal.SIGBUS,
    NO_MEMORY,
)  # exit codes of a process that crashed on its input


@dataclass(frozen=True)
class Lost:
    """Why there is no answer, how often this happened, and the exit code or the reported reason."""

    cause: str  # a key of TRIES
    times: int = 1
    code: int | None = None
    reason: str = ""

    @classmethod
    def by_exit(cls, code: int | None, times: int) -> Lost:
        """Derive the cause from an exit code. A process that used up its processor time counts as too slow."""
        return cls("time" if code == -signal.SIGXCPU else "process", times, code)

    @property
    def is_tried_again(self) -> bool:
        return self.times < TRIES[self.cause]

    def outcome(self, memory_is_whole: bool = True) -> tuple[str, str]:
        """The status and reason to report for a submission that is not tried again.

        A submission that crashed the process twice is to blame, unless a limit left the process too little memory.
        """
        match self.cause:
            case "time":
                return "timed_out", "grading it took too long"
            case "process" if self.code in BROKE and memory_is_whole:
                return "crashed", "grading it crashed the grader's own process twice"
            case "process":  # killed from outside, or for lack of memory
                return "not_judged", "the grader's own process died twice while grading it"
            case "worker":
                return "not_judged", f"{self.times} cluster workers died or failed while grading this submission"
        return "not_judged", f"the grader failed; please report this error: {self.reason}"


class Worker:
    """A process that receives tasks over a connection until it receives None, and answers them in order."""

    def __init__(self, start: Callable[[], tuple[BaseProcess, Connection]]):
        self.process, self.connection = start()
        self.sent: deque[Any] = deque()
        self.answered = 0
        self.since = time.monotonic()  # when it started its oldest unfinished task

    def send(self, task: object) -> None:
        if not self.sent:
            self.since = time.monotonic()
        self.sent.append(task)
        with suppress(OSError):  # the process has died, which receive() reports
            self.connection.send(task)

    def receive(self) -> tuple[Any, object]:
        """Return the oldest task and its answer. Errors: EOFError if the process has died."""
        try:
            answer = self.connection.recv()
        except OSError:
            raise EOFError from None
        self.since = time.monotonic()
        self.answered += 1
        return self.sent.popleft(), answer

    def end(self) -> None:
        """Let an idle worker end by itself. Kill a worker that has a task, because its answer is no longer needed."""
        if self.sent:
            self.process.kill()
        else:
            self.send(None)
        self.connection.close()
        self.process.join(FAREWELL_SECONDS)
        if self.process.is_alive():
            self.process.kill()
            self.process.join(FAREWELL_SECONDS)


class Pool:
    """Workers that run one set of tasks after another. Each task has a time limit in seconds."""

    def __init__(self, jobs: int, start: Callable[[], tuple[BaseProcess, Connection]], seconds: float):
        self.start, self.seconds = start, seconds
        self.workers: list[Worker] = []
        try:
            self.workers += (Worker(start) for _ in range(jobs))
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.workers:
            worker.end()

    def run(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, object]]:
        """Yield each task with its answer, in order of completion. Tasks must be hashable.

        If a task's workers died or it took too long, its answer is a Lost.
        """
        queue = iter(tasks)
        lost: deque[Task] = deque()
        deaths: dict[Task, int] = {}
        while True:
            for _ in range(AHEAD):
                for worker in self.workers:
                    task = lost.popleft() if lost else next(queue, None)
                    if task is not None and len(worker.sent) < AHEAD:
                        worker.send(task)
                    elif task is not None:
                        lost.appendleft(task)
            busy = {worker.connection: worker for worker in self.workers if worker.sent}
            if not busy:
                return
            due = min(worker.since for worker in busy.values()) + self.seconds
            ready = wait(list(busy), max(0.0, due - time.monotonic()))
            for connection in cast("list[Connection]", ready):
                try:
                    yield busy[connection].receive()
                except EOFError:
                    worker = busy[connection]
                    task = self._replace(worker, lost)
                    if worker.answered and worker.process.exitcode == 0:  # it ended because it had grown too large
                        lost.appendleft(task)
                        continue
                    deaths[task] = deaths.get(task, 0) + 1
                    end = Lost.by_exit(worker.process.exitcode, deaths[task])
                    if end.is_tried_again:
                        lost.append(task)
                    else:
                        yield task, end
            for worker in busy.values():
                overdue = worker.sent and time.monotonic() - worker.since > self.seconds
                if overdue and worker in self.workers and not worker.connection.poll():
                    yield self._replace(worker, lost), Lost("time")

    def _replace(self, worker: Worker, lost: deque[Task]) -> Task:
        """Replace a worker and return the task that is lost. The worker's other tasks are run again."""
        task: Task
        task, *others = worker.sent
        worker.end()
        self.workers[self.workers.index(worker)] = Worker(self.start)
        lost.extend(others)
        return task
