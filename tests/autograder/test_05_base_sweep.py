"""Lab 05, base sweep: what a submission must do."""

import numpy as np
import pytest
from reference import base_sweep as reference

from encoding_labs.base_sweep.exercises import BASES
from labkit.course import Probe
from labkit.grading.expect import expect
from labkit.grading.outcomes import said

points = pytest.mark.points


@points(1, "wavelengths")
def test_wavelengths_at_the_sizes_of_the_lab(answer, draw):
    expect(answer.wavelengths).passes_the_check()
    expect(answer.wavelengths, 2 * draw.randint(1, 256), draw.randint(2, 500_000)).agrees_with(reference.wavelengths)


@points(1, "wavelengths")
def test_wavelengths_at_drawn_sizes_and_bases(answer, draw):
    for _ in range(3):
        expect(answer.wavelengths, 2 * draw.randint(1, 256), draw.randint(2, 500_000)).agrees_with(
            reference.wavelengths
        )


@points(1, "longest_wavelength")
def test_longest_wavelength(answer, draw):
    expect(answer.longest_wavelength).passes_the_check()
    for d, base in ((2 * draw.randint(2, 256), draw.randint(2, 500_000)), (4, 2), (512, 10_000)):
        expect(answer.longest_wavelength, d, base).agrees_with(reference.longest_wavelength)


@points(1, "sweep")
def test_sweep_of_the_lab(answer, draw):
    expect(answer.sweep).passes_the_check(Probe((BASES, 128, 32)))
    expect(answer.sweep, (draw.randint(20, 90_000),), 60, 24).agrees_with(reference.sweep)


@points(1, "sweep")
def test_sweep_where_the_nearest_row_is_not_adjacent(answer):
    expect(answer.sweep).passes_the_check()
    expect(answer.sweep, (10,), 128, 8).agrees_with(reference.sweep)
    expect(answer.sweep, (500_000, 100), 64, 8).agrees_with(reference.sweep)


@points(1, "sweep")
def test_sweep_at_drawn_bases_and_sizes(answer, draw):
    for _ in range(2):
        bases = tuple(draw.sample((2, 7, 50, 300, 2_500, 40_000, 500_000), 3))
        expect(answer.sweep, bases, draw.randint(20, 120), 2 * draw.randint(3, 32)).agrees_with(reference.sweep)


@points(1, "base_for_length")
def test_base_at_drawn_lengths(answer, draw):
    expect(answer.base_for_length).passes_the_check(Probe((128, 32)), Probe((64, 8)), Probe((1_000_000, 128)))
    for _ in range(3):
        T, d = draw.randint(8, 100_000), 2 * draw.randint(2, 256)
        expect(answer.base_for_length, T, d).agrees_with(reference.base_for_length)


def gives_a_base(seen):
    """Right or wrong, but a number above 1."""
    base = np.asarray(seen.actual)
    if base.ndim or base.dtype.kind not in "iuf" or not base > 1:
        return said(f"base_for_length{seen.args} gave no base. Which lengths does it have to refuse, and which not?")


@points(1, "base_for_length")
def test_lengths_that_no_base_gives_are_refused(answer, draw):
    expect(answer.base_for_length, draw.randint(100, 1000), 8).follows(
        gives_a_base
    )  # refusing every length is no answer
    expect(answer.base_for_length, draw.randint(7, 10_000), 2).raises("ValueError")
    expect(answer.base_for_length, draw.randint(1, 6), 2 * draw.randint(2, 64)).raises("ValueError")


@points(1, "draw_sweep")
def test_figure_of_the_lab(answer, draw):
    expect(answer.draw_sweep).passes_the_check()
    expect(answer.draw_sweep, (draw.randint(20, 90_000),), 26).agrees_with(reference.draw_sweep)


@points(1, "draw_sweep")
def test_figure_at_drawn_bases(answer, draw):
    bases = tuple(draw.sample((3, 40, 600, 7_000, 90_000), 3))
    expect(answer.draw_sweep, bases, 2 * draw.choice((9, 25, 50))).agrees_with(reference.draw_sweep)
