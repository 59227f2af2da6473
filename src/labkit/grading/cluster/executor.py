"""The executor on many machines: as `judged_here`, with workers of a Dask cluster in place of processes.

As there, each worker has a batch in hand and the next one. Which worker gets which batch is decided here, so that each is
looked at before it gets any, a lost one costs its own batches, and no more is in flight than workers are there.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from queue import Empty, SimpleQueue

from distributed import Client, Future

from labkit.course import CourseError
from labkit.grading.cluster import parcel, remote, version
from labkit.grading.cluster.connection import GO_ON, ClusterProblem, patience
from labkit.grading.grade import Settings, row_of
from labkit.grading.results import Result
from labkit.intake.choose import Chosen, digest_of
from labkit.sandbox.faults import MachineFailed, in_words

AHEAD = 2  # batches that a worker has been sent
TRIES = 3  # a batch whose worker was lost, or failed on it, is tried on others
LEAST, MOST = (
    8,
    64,
)  # submissions of a batch for each thread of its worker: to begin one takes as long as to judge several
MOST_BYTES = 2**22  # of a batch, unless one submission has more
LOOK_SECONDS = 1.0  # between two looks at which workers there are
ANSWER_SECONDS = 60.0  # for fetching what a worker has


@dataclass
class Batch:
    """Submissions of one lab by their keys."""

    chosen: dict[str, Chosen]
    tries: int = 0  # that failed

    @property
    def lab(self) -> str:
        return next(iter(self.chosen.values())).lab


@dataclass
class OnWorkers:
    """Judges on the workers of a cluster. `say` is told in a line which of them cannot, and why.

    Errors: CourseError; ClusterProblem when no worker is fit; MachineFailed when the cluster is gone.
    """

    client: Client
    address: str
    unsandboxed: bool
    say: Callable[[str], None]
    threads: dict[str, int] = field(default_factory=dict)  # of the workers that are there, by address
    fit: set[str] = field(default_factory=set)
    refused: dict[str, str] = field(default_factory=dict)
    sent: dict[Future, tuple[str, Batch | None]] = field(default_factory=dict)  # None: it is looked at
    lost: deque[Batch] = field(default_factory=deque)
    rows: deque[tuple[str, Result]] = field(default_factory=deque)
    course: Future | None = None
    looked: float = -LOOK_SECONDS

    def __call__(self, queue: Mapping[str, Chosen], settings: Settings) -> Iterator[tuple[str, Result]]:
        if not queue:
            return
        self.packed, self.versions, self.settings = parcel.pack(), version.here(), settings
        self.waiting, self.done = deque(queue.items()), SimpleQueue()
        self.idle = self.heard = time.monotonic()
        while self.waiting or self.lost or self.rows or any(batch for _, batch in self.sent.values()):
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
        """Which workers there are; what those had that are gone is to be done yet."""
        with suppress(OSError):  # the client tries for a while to find its scheduler again
            if self.client.status == "running":
                self.threads = dict(self.client.nthreads(callback_timeout=patience()))
                self.heard = time.monotonic()
        self.looked = time.monotonic()
        if self.client.status == "closed" or self.looked > self.heard + 2 * patience():
            raise MachineFailed(f"{self.address}: the scheduler is gone; {GO_ON}")
        for future in [future for future, (address, _) in self.sent.items() if address not in self.threads]:
            self._again(future, blamed=True)
        self.fit &= self.threads.keys()
        if self.threads and self.threads.keys() <= self.refused.keys():
            raise ClusterProblem(f"{self.address}: no worker there can judge this: {self.refused[min(self.threads)]}")
        if self.threads or self.sent:
            self.idle = self.looked
        elif self.looked > self.idle + 2 * patience():
            raise MachineFailed(f"{self.address}: the scheduler has no workers; {GO_ON}")

    def _send(self) -> None:
        """Give each worker something to do: the first time to say its versions."""
        for _ in range(AHEAD):
            for address in self.threads.keys() - self.refused.keys():
                held = sum(address == other for other, _ in self.sent.values())
                if address not in self.fit and not held:
                    self._submit(address, None, remote.look)
                elif address in self.fit and held < AHEAD and (batch := self._next(self.threads[address])):
                    if submissions := self._read(batch):
                        self._submit(address, batch, remote.judge, self._course(), submissions, self._told())

    def _submit(self, address: str, batch: Batch | None, *task: object) -> None:
        future = self.client.submit(*task, workers=[address], pure=False)
        self.sent[future] = address, batch
        future.add_done_callback(self.done.put)

    def _next(self, threads: int) -> Batch | None:
        """What a worker gets next: less towards the end, so that all end at about the same time."""
        if self.lost:
            return self.lost.popleft()
        everywhere = sum(self.threads[address] for address in self.fit)
        most = threads * min(MOST, max(LEAST, len(self.waiting) // (AHEAD * everywhere)))
        batch, size = Batch({}), 0
        while self.waiting and len(batch.chosen) < most and size < MOST_BYTES:
            key, chosen = self.waiting[0]
            if batch.chosen and chosen.lab != batch.lab:
                break
            self.waiting.popleft()
            batch.chosen[key] = chosen
            size += _size(chosen)
        return batch if batch.chosen else None

    def _read(self, batch: Batch) -> list[remote.Sent]:
        """Its submissions with their bytes. What has other bytes by now has its row at once."""
        read = []
        for key, chosen in batch.chosen.items():
            content = _content(chosen)
            if digest_of(content) == chosen.digest:
                read.append((key, chosen.lab, chosen.digest, content))
            else:
                self._unjudged(key, chosen, "the file changed while the class was graded")
        batch.chosen = {key: batch.chosen[key] for key, *_ in read}
        return read

    def _course(self) -> Future:
        """The course, which goes to the scheduler once, and from worker to worker; anew when the scheduler is a new one."""
        if self.course is None or self.course.cancelled():
            key = f"labkit-course-{parcel.digest_of(self.packed)}"
            self.course = self.client.submit(bytes, self.packed, key=key)
        return self.course

    def _told(self) -> dict:
        """How a batch is judged."""
        budgets = asdict(self.settings.budgets)
        return {
            "seed": self.settings.seed,
            "budgets": budgets,
            "versions": self.versions,
            "unsandboxed": self.unsandboxed,
        }

    def _receive(self, future: Future) -> None:
        address, batch = self.sent[future]
        try:
            failed = future.exception(timeout=ANSWER_SECONDS) if future.status == "error" else None
            answer = future.result(timeout=ANSWER_SECONDS) if future.status == "finished" else None
        except (OSError, CancelledError):  # its worker went just now, or the scheduler
            failed = answer = None
        if failed:
            self._refuse(address, self._why(failed))
        if answer is None:
            self._again(future, blamed=future.status != "cancelled")
            return
        del self.sent[future]
        if batch is None:
            problem = version.unfit(self.versions, answer, self.unsandboxed)
            self._refuse(address, problem) if problem else self.fit.add(address)
        elif "course" in answer:
            raise CourseError(answer["course"])
        else:
            self.rows += [(key, Result.from_stored(stored)) for key, stored in answer["results"]]

    def _again(self, future: Future, blamed: bool) -> None:
        """Of a worker that is gone, or failed on it. After some such tries each submission has a row that says so."""
        _, batch = self.sent.pop(future)
        future.cancel()
        if batch is None:
            return
        batch.tries += blamed
        if batch.tries < TRIES:
            self.lost.append(batch)
            return
        for key, chosen in batch.chosen.items():
            self._unjudged(key, chosen, f"{TRIES} workers of the cluster were lost with it, or failed on it")

    def _unjudged(self, key: str, chosen: Chosen, reason: str) -> None:
        self.rows.append((key, row_of(chosen, "not_judged", reason, self.settings.seed)))

    def _why(self, failed: BaseException) -> str:
        if isinstance(failed, (ImportError, AttributeError)):
            return (
                f"it has no labkit that judges for others, and here it is {self.versions['labkit']}: {in_words(failed)}"
            )
        return in_words(failed)

    def _refuse(self, address: str, why: str) -> None:
        self.refused[address] = why
        self.fit.discard(address)
        self.say(f"{address} gets nothing to judge: {why}")


def _size(chosen: Chosen) -> int:
    try:
        return chosen.entry.path.stat().st_size
    except OSError:
        return 0


def _content(chosen: Chosen) -> bytes:
    try:
        return chosen.entry.path.read_bytes()
    except OSError:
        return b""
