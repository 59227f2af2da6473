"""The cluster executor: like the local executor, but with workers of a Dask cluster instead of processes.

Each worker has one batch in progress and the next one queued. This module assigns batches to workers itself, so that each
worker is checked first, only a lost worker's own batches are sent again, and little data is in transit at any time.
"""

from __future__ import annotations

import asyncio
import logging
import time
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from queue import Empty, SimpleQueue
from typing import ClassVar

import dask
from dask.utils import parse_timedelta
from distributed import Client, Future
from distributed.client import ClosedClientError
from distributed.comm import connect
from distributed.security import Security
from distributed.versions import VersionMismatchWarning

from labkit.grade.batch import Settings
from labkit.grade.cluster import remote, requirements
from labkit.grade.cluster.batches import Batch, Batches
from labkit.grade.intake.choose import digest_of
from labkit.grade.intake.submission import Submission
from labkit.grade.judge.results import NOT_JUDGED, Result, unjudged
from labkit.grade.sandbox.faults import MachineFailed, in_words
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project

TIMEOUT = "distributed.comm.timeouts.connect"
GO_ON = "graded results are kept; run the same command with --resume to continue"
AHEAD = 2  # batches assigned to a worker at a time
LOOK_SECONDS = 1.0  # between two checks of the list of workers
ANSWER_SECONDS = 60.0  # for fetching a worker's answer


@dataclass
class OnWorkers:
    """Grade on the workers of a cluster. `say` is called with a line about each worker that cannot grade.

    Errors: UserError for a course error or if no worker is suitable; MachineFailed if the cluster is gone or all workers failed.
    """

    REMOTE: ClassVar[str] = remote.__name__  # the module of the functions that workers call

    project: Project
    client: Client
    address: str
    unsandboxed: bool
    say: Callable[[str], None]
    threads: dict[str, int] = field(default_factory=dict)  # threads of each current worker, by address
    fit: set[str] = field(default_factory=set)
    given: Counter[str] = field(default_factory=Counter)  # batches sent to each worker so far
    refused: dict[str, str] = field(default_factory=dict)
    broken: bool = False  # whether a worker was refused because it failed on a batch
    faults: set[str] = field(default_factory=set)  # course errors reported by workers that were refused
    sent: dict[Future, tuple[str, Batch | None]] = field(default_factory=dict)  # no batch while versions are checked
    rows: deque[tuple[str, Result]] = field(default_factory=deque)
    course: Future | None = None
    looked: float = 0.0

    def __call__(self, queue: Mapping[str, Submission], settings: Settings) -> Iterator[tuple[str, Result]]:
        if not queue:
            return
        self.packed, self.settings = requirements.pack(self.project), settings
        self.packages = requirements.deciding(requirements.imported(self.packed))
        self.versions = requirements.local_versions(self.packages)
        self.batches, self.done = Batches(queue), SimpleQueue()
        self.idle = self.heard = time.monotonic()
        while self.batches or self.rows or any(batch for _, batch in self.sent.values()):
            if time.monotonic() > self.looked + LOOK_SECONDS:
                self._look_around()
            if self.client.status == "running":
                self._send()
            with suppress(Empty):
                future = self.done.get(timeout=LOOK_SECONDS)
                if future in self.sent:
                    self._receive(future)
            while self.rows:
                yield self.rows.popleft()

    def _look_around(self) -> None:
        """Update the list of workers, and queue the batches of lost workers again."""
        with suppress(OSError):  # the client keeps trying to reach its scheduler
            if self.client.status == "running":
                self.threads = dict(self.client.nthreads(callback_timeout=patience()))
                self.heard = time.monotonic()
        self.looked = time.monotonic()
        if self.client.status == "closed" or self.looked > self.heard + 2 * patience():
            raise MachineFailed(f"{self.address}: the scheduler is gone; {GO_ON}")
        for future in [future for future, (address, _) in self.sent.items() if address not in self.threads]:
            self._again(future, blamed=True)
        self.fit &= self.threads.keys()
        if self.threads.keys() - self.refused.keys():
            self.idle = self.looked
            return
        why = f"{self.address}: the scheduler has no workers"
        if self.threads:
            why = f"{self.address}: none of the cluster's workers can grade this: {self.refused[min(self.threads)]}"
            if not self.given:
                raise UserError(why)
        # A lost worker may come back, for example if a Dask nanny restarts it; a worker that failed stays refused.
        if self.threads and self.broken or self.looked > self.idle + 2 * patience():
            raise MachineFailed(f"{why}; {GO_ON}")

    def _send(self) -> None:
        """Give each worker something to do. A worker's first task reports its versions."""
        everywhere = sum(self.threads[address] for address in self.fit)
        for _ in range(AHEAD):
            held = Counter(address for address, _ in self.sent.values())
            for address in self.threads.keys() - self.refused.keys():
                if address not in self.fit and not held[address]:
                    self._submit(address, None, "requirements.grading_versions(packages)", packages=self.packages)
                elif (
                    address in self.fit
                    and held[address] < AHEAD
                    and (batch := self.batches.next(self.threads[address], everywhere, self.given[address]))
                ):
                    self.given[address] += 1
                    self._submit_batch(address, batch)

    def _submit_batch(self, address: str, batch: Batch) -> None:
        """Send a batch. The course is sent once to each new scheduler, and workers copy it from each other."""
        submissions = batch.read(self.settings.budgets)
        for key in batch.submissions.keys() - {key for key, *_ in submissions}:
            changed = "the file changed during grading"
            self.rows.append(
                (key, unjudged(self.project, batch.submissions.pop(key), NOT_JUDGED, changed, self.settings.seed))
            )
        if self.course is None or self.course.cancelled():
            key = f"labkit-course-{digest_of(self.packed)}"
            self.course = self.client.submit(bytes, self.packed, key=key)
        options = {"seed": self.settings.seed, "budgets": asdict(self.settings.budgets)}
        options |= {"packages": self.packages, "versions": self.versions, "unsandboxed": self.unsandboxed}
        if submissions:
            call = "judge(packed, submissions, options)"
            self._submit(address, batch, call, packed=self.course, submissions=submissions, options=options)

    def _submit(self, address: str, batch: Batch | None, call: str, **given: object) -> None:
        """Submit a call as text with plain data, because the task passes through the scheduler, which may lack labkit."""
        call = f"__import__({self.REMOTE!r}, fromlist=['remote']).{call}"
        future = self.client.submit(eval, call, given, workers=[address], pure=False)
        self.sent[future] = address, batch
        future.add_done_callback(self.done.put)

    def _receive(self, future: Future) -> None:
        address, batch = self.sent[future]
        try:
            failed = future.exception(timeout=ANSWER_SECONDS) if future.status == "error" else None
            answer = future.result(timeout=ANSWER_SECONDS) if future.status == "finished" else None
        except (OSError, CancelledError):  # its worker or the scheduler has just disappeared
            failed = answer = None
        if answer is None:
            self._again(future, blamed=future.status != "cancelled")
            if failed:
                self.broken |= batch is not None
                self._refuse(address, self._why(failed))
        elif batch is None:
            del self.sent[future]
            problem = requirements.unfit(self.versions, answer, self.unsandboxed)
            self._refuse(address, problem) if problem else self.fit.add(address)
        elif "course" in answer:
            self._again(future, blamed=False)
            self._refuse_or_raise(address, answer["course"])
        else:
            del self.sent[future]
            own = batch.submissions
            self.rows += [
                (key, Result.from_stored(self.project, stored, own[key])) for key, stored in answer["results"]
            ]

    def _refuse_or_raise(self, address: str, fault: str) -> None:
        """Refuse a worker that reports a course error, because something may be missing only there.

        Errors: UserError if a second worker reports the same error, or if no other worker is left.
        """
        if fault in self.faults or not self.threads.keys() - self.refused.keys() - {address}:
            raise UserError(fault)
        self.faults.add(fault)
        self._refuse(address, fault)

    def _again(self, future: Future, blamed: bool) -> None:
        """Queue the batch of a lost or failed worker again. After too many tries, its submissions get a result that says why."""
        _, batch = self.sent.pop(future)
        future.cancel()
        if batch and not self.batches.again(batch, blamed):
            for key, each in batch.submissions.items():
                self.rows.append((key, unjudged(self.project, each, *batch.lost.outcome(), self.settings.seed)))

    def _why(self, failed: BaseException) -> str:
        if isinstance(failed, (ImportError, AttributeError, TypeError)):
            return f"its labkit cannot grade for this machine, which has {self.versions['labkit']}: {in_words(failed)}"
        return in_words(failed).removeprefix("RuntimeError: ")

    def _refuse(self, address: str, why: str) -> None:
        self.refused[address] = why
        self.fit.discard(address)
        self.say(f"{address} is not used for grading: {why}")
        for future in [future for future, (its, _) in self.sent.items() if its == address]:
            self._again(future, blamed=False)


def patience() -> float:
    """How many seconds Dask waits for a connection: the value of TIMEOUT in its configuration."""
    return parse_timedelta(dask.config.get(TIMEOUT))


@contextmanager
def connected(address: str) -> Iterator[Client]:
    """Connect a client to the scheduler. Errors: UserError if there is none, MachineFailed if it disappears."""
    for logger in ("distributed", "distributed.client"):  # we report problems in one line instead
        logging.getLogger(logger).setLevel(logging.CRITICAL + 1)
    warnings.simplefilter("ignore", VersionMismatchWarning)  # version.py compares the versions that matter
    quiet = {"distributed.admin.large-graph-warning-threshold": "1GiB"}  # batches.py bounds the size of a batch
    with dask.config.set(quiet):
        try:
            asyncio.run(_reach(address))  # a client that fails to start cannot be closed
            client = Client(address, set_as_default=False)
        except (OSError, ValueError, TypeError, RuntimeError) as error:
            raise UserError(f"{address}: cannot reach a scheduler: {error}") from None
        try:
            yield client
        except (ClosedClientError, CancelledError):
            raise MachineFailed(f"{address}: the scheduler is gone; {GO_ON}") from None
        finally:
            with suppress(TimeoutError):  # a timeout here must not hide an earlier error
                client.close(timeout=5)


async def _reach(address: str) -> None:
    comm = await connect(address, timeout=patience(), **Security().get_connection_args("client"))
    comm.abort()
