"""Run tasks in several processes at once. If a process dies, only its current task is lost."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Self, TypeVar, cast

from labkit.grade.batch.lost import Lost

Task = TypeVar("Task", bound=Hashable)

AHEAD = 2  # tasks sent to a worker: the current and the next one, so that it never waits
FAREWELL_SECONDS = 5.0  # time for an idle worker to end


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
