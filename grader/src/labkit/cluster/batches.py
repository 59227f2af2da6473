"""Cut the queue into batches of submissions of one lab; their bytes are read only for sending."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from labkit.grading.lost import Lost
from labkit.intake.choose import digest_of
from labkit.intake.files import read_notebook
from labkit.intake.submission import Submission
from labkit.model.budgets import Budgets

# Submissions in a batch, per thread of its worker. A worker's first batch is small and each may be twice the one before,
# so that all workers start before much data has to travel.
LEAST, MOST = 8, 128
MOST_BYTES = 2**22  # of a batch, unless a single submission is larger
SHARE = 2  # a batch is at most 1/SHARE of a worker's part of the rest, so that all workers finish together


@dataclass
class Batch:
    """Submissions of one lab by key."""

    submissions: dict[str, Submission]
    lost: Lost = field(default_factory=lambda: Lost("worker", 0))

    @property
    def lab(self) -> str:
        return next(iter(self.submissions.values())).lab

    def read(self, budgets: Budgets) -> list[tuple[str, str, str, bytes]]:
        """Each submission's key, lab, digest and bytes; those whose bytes have changed are left out."""
        read = ((key, each, read_notebook(each.path, budgets)) for key, each in self.submissions.items())
        return [
            (key, each.lab, each.digest, content)
            for key, each, content in read
            if isinstance(content, bytes) and digest_of(content) == each.digest
        ]


class Batches:
    """The queue of submissions, and the batches that must be sent again."""

    def __init__(self, queue: Mapping[str, Submission]):
        self._waiting, self._lost = deque(queue.items()), deque()

    def __bool__(self) -> bool:
        return bool(self._waiting or self._lost)

    def next(self, threads: int, everywhere: int, before: int) -> Batch | None:
        """The next batch for a worker with `threads` of the `everywhere` threads, after `before` earlier batches."""
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
        """Queue a batch again if allowed, and return whether it was; only tries that are `blamed` are limited."""
        batch.lost = Lost("worker", batch.lost.times + blamed)
        if batch.lost.is_tried_again:
            self._lost.append(batch)
        return batch.lost.is_tried_again


def _size(each: Submission) -> int:
    try:
        return each.path.stat().st_size
    except OSError:
        return 0
