"""Test lab 07's benchmark: each method builds the right table and is timed, and the docs page shows the stored times."""

import json
import os
import subprocess
import sys

import builds
import precision_and_cost as benchmark
import pytest
from classroom import ROOT


@pytest.mark.parametrize("name", [name for name in builds.ways(1) if name != builds.FILL])
def test_every_way_builds_the_table(name):
    assert builds.error(builds.ways(1)[name], 50, 12) < 2e-5


def test_a_wrong_table_is_noticed():
    assert builds.error(builds.fill, 50, 12) > 0.5


def test_every_way_is_timed(monkeypatch):
    monkeypatch.setattr(benchmark, "SIZES", ((8, 4), (16, 4)))
    monkeypatch.setattr(benchmark, "LEAST_SECONDS", 0)
    known = benchmark.measured(rounds=2)
    assert all(set(each) == set(builds.ways(1)) for size in known["sizes"] for each in size["rounds"])
    assert all(0 <= seconds for size in known["sizes"] for each in size["rounds"] for seconds in each.values())


def test_the_page_matches_its_measurements():
    kept = ROOT / "docs" / "precision_and_cost.json"
    page = kept.with_suffix(".md").read_text("utf-8")
    assert benchmark.text(json.loads(kept.read_text("utf-8"))) == page, (
        "the page is out of date: run `python docs/precision_and_cost.py --report-only`"
    )


def test_the_script_runs_outside_pytest():
    """Readers run the script from a shell, without the `pythonpath` that pytest adds."""
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "docs/precision_and_cost.py", "--help"]
    done = subprocess.run(command, cwd=ROOT, env=clean, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
