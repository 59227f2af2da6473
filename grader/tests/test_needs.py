"""Tests that need more than the machine has are skipped, long ones are left out, and every run ends with both. No test changes what others see."""

import os
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import longer
import needs
import pytest

CLONE = Path(__file__).parents[2]
NEEDS = """
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
LONG = """
import pytest
from longer import each_value_once, every

@pytest.mark.long("it installs")
def test_installing(): pass

@pytest.mark.parametrize("n", every(2, [1, 2, 3]))
def test_some(n): pass

@pytest.mark.parametrize(("letter", "n"), each_value_once("ab", [1, 2, 3]))
def test_product(letter, n): pass
"""
STYLE = """
import pytest

@pytest.mark.parametrize("n", range(3))
def test_style(n):
    import matplotlib.pyplot as plt
    from labkit.student.notebook.figures import STYLE

    assert plt.rcParams["axes.titlelocation"] == "center"
    plt.style.use(STYLE)
    assert plt.rcParams["axes.titlelocation"] == "left"
"""
WORKERS = pytest.mark.parametrize("workers", [[], ["-p", "xdist.plugin", "-n", "1"]], ids=["alone", "xdist"])


@pytest.fixture
def run(tmp_path):
    """Run these tests in a pytest of their own. Returns what it prints."""

    def run(tests: str, *words: str, long: str = "", before: str = "") -> str:
        (tmp_path / "conftest.py").write_text(before)
        (tmp_path / "test_it.py").write_text(tests)
        settings = "[pytest]\nmarkers =\n  long(why)\n  needs(what)\naddopts = --strict-markers -p needs -p longer\n"
        (tmp_path / "pytest.ini").write_text(settings)
        own = {
            "PYTHONPATH": str(Path(needs.__file__).parent),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "LABKIT_LONG": long,
        }
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words]
        done = subprocess.run(command, cwd=tmp_path, env=os.environ | own, capture_output=True, text=True, timeout=240)
        return done.stdout + done.stderr

    return run


@WORKERS
def test_a_run_ends_with_what_it_could_not_test(run, workers):
    *lines, last = filter(None, run(NEEDS, *workers).splitlines())
    assert "2 passed, 4 skipped" in last, lines
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


@WORKERS
def test_a_run_leaves_out_long_tests_and_says_so(run, workers):
    said = run(LONG, "-v", *workers)
    assert "5 passed" in said and "5 long tests left out: `make test LONG=1`" in said
    assert "  test_it.py::test_installing: it installs" in said
    assert "2 passed, 8 deselected" in (said := run(LONG, "-k", "some")) and "1 long tests left out" in said
    assert "10 passed" in (said := run(LONG, long="1")) and "left out" not in said


@pytest.mark.parametrize("axes", [([1, 2, 3],), ("ab", [1, 2, 3]), ("ab", "cd", "efgh", [0])])
def test_each_value_of_each_axis_occurs(axes):
    parameters = longer.each_value_once(*axes)
    kept = [each.values for each in parameters if not each.marks]
    assert [each.values for each in parameters] == [*product(*axes)]
    assert [set(values) for values in zip(*kept)] == [set(axis) for axis in axes]
    assert len(kept) == max(map(len, axes))


@pytest.mark.parametrize("before", ["", "import matplotlib"], ids=["loaded by a test", "loaded before"])
def test_a_figure_style_ends_with_its_test(run, before):
    assert "3 passed" in (said := run(STYLE, before=f"from fixtures import *\n{before}\n")), said
