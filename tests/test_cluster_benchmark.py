"""The benchmark of many machines: its page ends with what was measured, and nothing in that was another result."""

import json

import cluster as benchmark
from classroom import ROOT

RECORD = ROOT / "docs/many_machines.json"


def test_the_page_ends_with_what_its_measurements_give():
    known = json.loads(RECORD.read_text("utf-8"))
    page = RECORD.with_suffix(".md").read_text("utf-8")
    assert page.partition(benchmark.BEGINNING)[1:] == tuple(benchmark.text(known).partition(benchmark.BEGINNING)[1:]), (
        "run `python benchmarks/cluster.py --report-only`"
    )
    assert all(run["same"] for run in known["graded"])


def test_workers_that_sleep_are_sent_every_submission():
    """With the real scheduler, client and workers, and a batch that takes no time."""
    seconds = {
        "begin": 0.0,
        "each": 0.0,
        "stored": {"lab": "", "status": "graded", "seed": 1, "written": {}, "reason": None, "checks": []},
    }
    told = benchmark.pretended(2, 40, seconds)
    assert told["submissions"] == 40 and told["batches"] >= 3 and told["scheduler"] > 0
