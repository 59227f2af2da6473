"""The cluster benchmark's sleeping workers behave like those of a real cluster."""

import json

import cluster as benchmark
import on_workers
import pytest
import sleeping

from labkit.grade.intake.submission import Submission
from labkit.grade.judge.results import Result
from labkit.student.model import project

NOTHING = Result.of(project.current(), Submission("", ""), "graded").stored()


def test_workers_that_sleep_are_sent_every_submission():
    """The scheduler, client and workers are real. Grading a batch is only pretended, and takes no time."""
    told = sleeping.pretended(2, 40, {"begin": 0.0, "each": 0.0, "stored": NOTHING}, faster=10)
    assert (
        told["submissions"] == 40 and told["batches"] >= 3 and told["scheduler"] > 0 and benchmark.load_of(told) == 20
    )


def test_a_measurement_replaces_the_one_of_the_same_load():
    before = {
        "graded": [{"submissions": 48, "workers": 1, "local": 1.0}, {"submissions": 9, "workers": 1, "local": 9.0}],
        "pretended": [{"workers": 64, "faster": 10}, {"workers": 4, "faster": 1}],
    }
    now = {
        "graded": [
            {"submissions": 48, "workers": 1, "local": 2.0},
            {"submissions": 48, "workers": 2, "local": 1.0},
        ],
        "pretended": [{"workers": 64, "faster": 1}],
    }
    found = benchmark.together(before, now)
    assert [run["local"] for run in found["graded"]] == [9.0, 2.0, 1.0]
    assert [benchmark.load_of(run) for run in found["pretended"]] == [4, 64, 640]


@pytest.mark.long("starts a cluster and grades three times; test_cluster.py tests clusters directly")
@pytest.mark.parametrize("kill", [False, True])
def test_a_class_on_a_worker_has_the_rows_of_a_smaller_one_here(kill, tmp_path):
    """With `kill`, the client is killed while it grades the class, and then run again."""
    on_workers.make_class(tmp_path / "class-6", 6)
    on_workers.make_part(tmp_path, 6, 2)
    found = on_workers.graded(tmp_path, size=6, local=2, count=1, kill=kill)
    assert found["same"] and found["submissions"] == 6 and (found["kept"] >= 3) == kill
    assert 20 < found["memory"] < 1_000 and found["cluster"] > 0


def test_the_page_matches_its_measurements():
    kept = benchmark.ROOT / "grader/docs/many_machines.json"
    page = kept.with_suffix(".md").read_text("utf-8")
    assert page.partition(benchmark.BEGINNING)[1:] == (
        benchmark.BEGINNING,
        benchmark.text(json.loads(kept.read_text("utf-8"))).removeprefix(benchmark.BEGINNING),
    )
