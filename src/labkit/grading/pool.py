"""Tasks side by side in processes of their own. A process that dies takes nothing with it but the task it had in hand."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

AHEAD = 2  # tasks that a worker has been sent: one in hand, and the next, so that it need not wait for it
TRIES = 2  # a task whose worker died is tried once more
FAREWELL_SECONDS = 5.0  # for a worker that is told to end and has nothing in hand


class Worker:
    """A process that receives tasks over a connection until None comes, and sends an answer for each in order."""

    def __init__(self, start: Callable[[], tuple[BaseProcess, Connection]]):
        self.process, self.connection = start()
        self.sent: deque = deque()

    def send(self, task: object) -> None:
        self.sent.append(task)
        try:
            self.connection.send(task)
        except OSError:  # it has died; receive() finds out
            pass

    def receive(self) -> tuple[object, object]:
        """The oldest task and its answer. Errors: EOFError when the process has died."""
        try:
            answer = self.connection.recv()
        except OSError:
            raise EOFError from None
        return self.sent.popleft(), answer

    def end(self) -> None:
        """Let it end by itself when it is idle; one with a task in hand, which nobody waits for any more, is killed."""
        if self.sent:
            self.process.kill()
        else:
            self.send(None)
        self.connection.close()
        self.process.join(FAREWELL_SECONDS)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


def in_processes(
    tasks: Iterable, jobs: int, start: Callable[[], tuple[BaseProcess, Connection]]
) -> Iterator[tuple[object, object]]:
    """Each task with its answer, as they come; None for one on which a worker died twice. Tasks can be dict keys."""
    queue, lost, deaths = iter(tasks), deque(), {}
    workers = [Worker(start) for _ in range(jobs)]
    try:
        while True:
            for _ in range(AHEAD):
                for worker in workers:
                    task = lost.popleft() if lost else next(queue, None)
                    if task is not None and len(worker.sent) < AHEAD:
                        worker.send(task)
                    elif task is not None:
                        lost.appendleft(task)
            busy = {worker.connection: worker for worker in workers if worker.sent}
            if not busy:
                return
            for connection in wait(list(busy)):
                worker = busy[connection]
                try:
                    yield worker.receive()
                except EOFError:
                    task, *others = worker.sent
                    worker.end()
                    workers[workers.index(worker)] = Worker(start)
                    lost.extend(others)
                    deaths[task] = deaths.get(task, 0) + 1
                    if deaths[task] < TRIES:
                        lost.append(task)
                    else:
                        yield task, None
    finally:
        for worker in workers:
            worker.end()
