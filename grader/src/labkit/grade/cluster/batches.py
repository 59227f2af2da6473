"""Cut the queue into batches, each with submissions of one lab. A file is read only when its batch is sent."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from labkit.grade.batch.pool import Lost
from labkit.grade.intake.choose import digest_of
from labkit.grade.intake.files import read_notebook
from labkit.grade.intake.submission import Submission
from labkit.student.model.budgets import Budgets

# Limits on the submissions in a batch, for each thread of the worker. A worker's first batch is small, so that all workers
# start soon. Each later batch may be twice as large as the one before.
LEAST, MOST = 8, 128
MOST_BYTES = 2**22  # bytes in a batch, unless a single submission is larger
SHARE = 2  # a batch is at most 1/SHARE of a worker's part of the remaining queue, so that all workers finish together


@dataclass
class Batch:
    """Submissions of one lab, by key."""

    submissions: dict[str, Submission]
    lost: Lost = field(default_factory=lambda: Lost("worker", 0))

    @property
    def lab(self) -> str:
        return next(iter(self.submissions.values())).lab

    def read(self, budgets: Budgets) -> list[tuple[str, str, str, bytes]]:
        """Return each submission's key, lab, digest and bytes, leaving out files that have changed."""
        read = ((key, each, read_notebook(each.path, budgets)) for key, each in self.submissions.items())
        return [
            (key, each.lab, each.digest, content)
            for key, each, content in read
            if isinstance(content, bytes) and digest_of(content) == each.digest
        ]


class Batches:
    """The queue of submissions, and the batches to send again."""

    def __init__(self, queue: Mapping[str, Submission]):
        self._waiting, self._lost = deque(queue.items()), deque()

    def __bool__(self) -> bool:
        return bool(self._waiting or self._lost)

    def next(self, threads: int, everywhere: int, before: int) -> Batch | None:
        """Cut the next batch for a worker.

        `threads` and `everywhere` are the threads of this worker and of all workers; `before` counts the batches that this worker has had.
        """
        if self._lost:
            return self._lost.popleft()
        share = len(self._waiting) // (SHARE * everywhere)
        most = threads * min(MOST, LEAST * 2**before, max(LEAST, share))
        batch, size = Batch({}), 0
        while self._waiting and len(batch.submissions) < most and size < MOST_BYTES:
            key, each = self._waiting[0]
            if batch.submissions and each.lab != batch.lab:
                break
            self._waiting.popleft()
            batch.submissions[key] = each
            size += _size(each)
        return batch if batch.submissions else None

    def again(self, batch: Batch, blamed: bool) -> bool:
        """Queue a batch again and return True, or return False after too many tries. A try counts only if `blamed`."""
        batch.lost = Lost("worker", batch.lost.times + blamed)
        if batch.lost.is_tried_again:
            self._lost.append(batch)
        return batch.lost.is_tried_again


def _size(each: Submission) -> int:
    try:
        return each.path.stat().st_size
    except OSError:
        return 0
