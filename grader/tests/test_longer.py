"""Long tests run only with `LONG=1`, and every other run reports how many it skipped."""

import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import longer
import pytest

TESTS = """
import pytest
from longer import each_value_once, every

@pytest.mark.long("it installs")
def test_installing(): pass

@pytest.mark.parametrize("n", every(2, [1, 2, 3]))
def test_some(n): pass

@pytest.mark.parametrize(("letter", "n"), each_value_once("ab", [1, 2, 3]))
def test_product(letter, n): pass
"""


@pytest.fixture
def run(tmp_path):
    (tmp_path / "test_it.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = long(why)\naddopts = --strict-markers -p longer\n")

    def run(*words: str, long: str = "") -> str:
        own = {
            "PYTHONPATH": str(Path(longer.__file__).parent),
            "LABKIT_LONG": long,
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        }
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words]
        return subprocess.run(
            command, cwd=tmp_path, env=os.environ | own, capture_output=True, text=True, timeout=240
        ).stdout

    return run


@pytest.mark.parametrize("workers", [[], ["-p", "xdist.plugin", "-n", "1"]], ids=["alone", "xdist"])
def test_a_run_skips_long_tests_and_says_so(workers, run):
    said = run("-v", *workers)
    assert "5 passed" in said and "5 long tests left out: `make test LONG=1`" in said
    assert (
        "  test_it.py::test_installing: it installs" in said and "test_some[2]: another case of the same kind" in said
    )


def test_a_test_named_by_its_id_is_left_out_too(run):
    said = run("test_it.py::test_installing")
    assert "1 long tests left out" in said and "passed" not in said and "it installs" not in said


def test_only_what_was_asked_for_is_counted(run):
    assert "2 passed, 8 deselected" in (said := run("-k", "some")) and "1 long tests left out" in said


def test_the_long_run_leaves_out_nothing(run):
    said = run(long="1")
    assert "10 passed" in said and "left out" not in said


@pytest.mark.parametrize("axes", [([1, 2, 3],), ("ab", [1, 2, 3]), ("ab", "cd", "efgh", [0])])
def test_each_value_of_each_axis_occurs(axes):
    parameters = longer.each_value_once(*axes)
    kept = [each.values for each in parameters if not each.marks]
    assert [each.values for each in parameters] == [*product(*axes)]
    assert [set(values) for values in zip(*kept)] == [set(axis) for axis in axes]
    assert len(kept) == max(map(len, axes))
