"""Test minimodel's locked sinusoidal module: its values, dtype and errors, and the lock that detects changes."""

import subprocess
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.build_the_table.reference import sinusoidal_pe as truth
from labkit.grade.batch.course_check import changed_files, lock
from labkit.model.course import Tolerance
from labkit.student.judging.compare import difference
from labkit.student.model import project
from minimodel.positional.sinusoidal import sinusoidal_pe


@pytest.mark.parametrize(("T", "d"), [(64, 32), (10, 6), (1000, 128), (1, 2)])
def test_within_the_tolerance_of_float64(T, d):
    assert difference(sinusoidal_pe(T, d), truth(T, d), Tolerance(), "float32") is None


def test_worked_table_at_d_4():
    known = [
        [0, 1, 0, 1],
        [0.8415, 0.5403, 0.0100, 0.99995],
        [0.9093, -0.4161, 0.02, 0.9998],
        [0.1411, -0.9900, 0.0300, 0.99955],
    ]
    np.testing.assert_allclose(sinusoidal_pe(4, 4), known, atol=6e-5, rtol=0)


def test_no_positions_make_an_empty_table():
    table = sinusoidal_pe(0, 6)
    assert table.shape == (0, 6) and table.dtype == np.float32


@given(T=st.integers(0, 40), pairs=st.integers(1, 20), base=st.floats(1.5, 1e6))
def test_every_pair_is_on_the_unit_circle(T, pairs, base):
    table = sinusoidal_pe(T, 2 * pairs, base=base)
    np.testing.assert_allclose(table[:, 0::2] ** 2 + table[:, 1::2] ** 2, 1, atol=1e-6)


def test_base_sets_the_frequencies():
    slow = sinusoidal_pe(2, 4, base=100.0)[1]
    np.testing.assert_allclose(np.arctan2(slow[0::2], slow[1::2]), [1, 0.1], rtol=1e-6)


@pytest.mark.parametrize(
    ("T", "d", "says"), [(4, 7, "even"), (4, 0, "positive"), (4, -2, "positive"), (-1, 4, "negative")]
)
def test_sizes_that_make_no_table(T, d, says):
    with pytest.raises(ValueError, match=says):
        sinusoidal_pe(T, d)


@pytest.mark.parametrize("base", [0.0, -1.0, float("nan"), float("inf"), 1e39])
def test_bases_that_make_no_table(base):
    with pytest.raises(ValueError, match="base"):
        sinusoidal_pe(4, 4, base=base)


def test_sizes_are_integers_and_base_is_named():
    with pytest.raises(TypeError):
        sinusoidal_pe(4.0, 4)
    with pytest.raises(TypeError):
        sinusoidal_pe(4, 4, 100.0)


def test_the_module_is_locked():
    assert project.current().locked == ("src/minimodel/positional/sinusoidal.py",)
    assert not list(changed_files(project.current())), "the locked module was changed: restore it, or run `labkit lock`"


def test_a_change_breaks_the_lock_and_locking_mends_it(tmp_path, monkeypatch):
    module = tmp_path / "reference.py"
    module.write_text("ONE = 1\n")
    monkeypatch.setattr(project, "_current", replace(project.current(), root=tmp_path, locked=(module.name,)))
    assert list(changed_files(project.current())) == [module]
    lock(project.current())
    assert not list(changed_files(project.current()))
    assert subprocess.run(["sha256sum", "--check", "reference.py.sha256"], cwd=tmp_path, timeout=60).returncode == 0
    module.write_text("ONE = 2\n")
    assert list(changed_files(project.current())) == [module]
