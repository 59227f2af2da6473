"""Tests that need more than the machine has are skipped, and every run ends with what it could not test."""

import os
import re
import subprocess
import sys
from pathlib import Path

import needs
import pytest

CLONE = Path(__file__).parents[2]
TESTS = """
import needs, pytest
from needs import NEEDS, skip_without
NEEDS |= {"a moon": (lambda: False, "wait for the night"), "air": (lambda: True, ""), "a sea": (None, "go south")}
NEEDS["bubblewrap"] = NEEDS["a moon"]

@needs.needs("a moon")
@needs.needs("air")
@pytest.mark.parametrize("n", [1, 2])
def test_tide(n): raise AssertionError

@needs.needs("air")
def test_wind(): pass

@pytest.fixture
def sea(): skip_without("a sea")

def test_waves(sea): raise AssertionError

@pytest.mark.parametrize("layer", ["bubblewrap", "limits"])
def test_layer(layer): assert layer == "limits"
"""


@pytest.mark.parametrize("workers", [[], ["-p", "xdist.plugin", "-n", "1"]], ids=["alone", "xdist"])
def test_a_run_ends_with_what_it_could_not_test(tmp_path, workers):
    (tmp_path / "test_it.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = needs(what)\naddopts = --strict-markers -p needs\n")
    own = {"PYTHONPATH": str(Path(needs.__file__).parent), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *workers]
    done = subprocess.run(command, cwd=tmp_path, env=os.environ | own, capture_output=True, text=True, timeout=240)
    *lines, last = filter(None, done.stdout.splitlines())
    assert done.returncode == 0 and "2 passed, 4 skipped" in last, done.stdout
    assert lines[-3:] == [
        "a moon: 2 tests skipped (wait for the night)",
        "a sea: 1 test skipped (go south)",
        "bubblewrap: 1 test skipped (wait for the night)",
    ]


def test_every_need_says_what_to_do():
    for name, (found, advice) in needs.NEEDS.items():
        assert advice and (found is None or found() in (True, False)), name


def test_no_test_finds_out_by_itself_what_the_machine_has():
    """Otherwise the last lines of a run would have several names for one missing thing."""
    itself = re.compile(r"skipif\(|pytest\.skip\(|which\(.(?:bwrap|chromium)\b")
    files = [each for folder in ("tests", "grader/tests") for each in (CLONE / folder).rglob("*.py")]
    own = {Path(__file__), Path(needs.__file__)}
    assert len(files) > 200
    assert [each.name for each in files if each not in own and itself.search(each.read_text("utf-8"))] == []
