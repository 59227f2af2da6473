"""The benchmark of many machines: its workers that sleep are those of a real cluster."""

import cluster as benchmark

from labkit.grading.results import Result

NOTHING = Result("", "", "graded").stored()


def test_workers_that_sleep_are_sent_every_submission():
    """With the real scheduler, client and workers, and a batch that takes no time."""
    told = benchmark.pretended(2, 40, {"begin": 0.0, "each": 0.0, "stored": NOTHING})
    assert told["submissions"] == 40 and told["batches"] >= 3 and told["scheduler"] > 0
