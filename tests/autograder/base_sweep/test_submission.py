"""Graded tests of lab 05, base sweep."""

from dataclasses import replace

import numpy as np
import pytest

from encoding_labs.base_sweep.exercises import BASE_FOR_LENGTH, BASES, SWEEP, judge_curves
from encoding_labs.base_sweep.rows import Printed, RowOne
from labkit.judge.expect import expect, reference_value, said
from labkit.model.course import Probe

from . import reference

points = pytest.mark.points


@points(1, "wavelengths")
def test_wavelengths_at_the_sizes_of_the_lab(answer, draw):
    expect(answer.wavelengths).passes_the_check()
    expect(answer.wavelengths, 2 * draw.randint(1, 256), draw.randint(2, 500_000)).agrees_with(reference.wavelengths)


@points(1, "wavelengths")
def test_wavelengths_at_drawn_sizes_and_bases(answer, draw):
    for _ in range(2):
        d = 2 * draw.randint(1, 256)
        for base in (draw.randint(2, 500_000), round(draw.uniform(1.5, 90), 2)):  # two bases with the same d
            expect(answer.wavelengths, d, base).agrees_with(reference.wavelengths)


def below_nine_tenths(d):
    """The largest position that decode must handle at this d: nine tenths of the longest wavelength, as the lab says."""
    return 0.9 * reference.wavelengths(d, 10_000)[-1]


def between_tenths(draw, first, end):
    """Draw a position about halfway between tenths, which a table in steps of 0.1 misses by more than the tolerance."""
    return draw.randrange(int(10 * first), int(10 * end)) / 10 + draw.uniform(0.04, 0.06)


@points(1, "decode")
def test_decode_at_the_positions_of_the_lab(answer, draw):
    expect(answer.decode).passes_the_check()
    for d in (4, 6, 12):
        expect(answer.decode, Printed(draw.uniform(0, below_nine_tenths(d)), d)).agrees_with(reference.decode)
        expect(answer.decode, Printed(between_tenths(draw, 0, below_nine_tenths(d)), d)).agrees_with(reference.decode)


@points(1, "decode")
def test_decode_at_drawn_positions(answer, draw):
    for d in (8, 32):
        end = below_nine_tenths(d)
        for p in (draw.uniform(0, 20), between_tenths(draw, 0, end / 2), draw.uniform(end / 2, end)):
            expect(answer.decode, Printed(p, d)).agrees_with(reference.decode)
    for d in (64, 256):
        expect(answer.decode, Printed(between_tenths(draw, 0, below_nine_tenths(d)), d)).agrees_with(reference.decode)


def judge_column(answer, draw, number):
    """Check one column of the sweep, with the lab's arguments and with random ones."""
    truth = reference.column(number)
    for probe in SWEEP.probes:
        expect(answer.sweep, *probe.args).agrees_with(truth)
    expect(answer.sweep, (draw.randint(20, 90_000),), 60, 24).agrees_with(truth)
    for bases, T in (((10,), 128), ((500_000, 100), 64)):  # here the nearest row is not the adjacent one
        expect(answer.sweep, bases, T, 8).agrees_with(truth)
    for _ in range(2):
        bases = tuple(draw.sample((2, 7, 50, 300, 2_500, 40_000, 500_000), 3))
        expect(answer.sweep, bases, draw.randint(20, 120), 2 * draw.randint(3, 32)).agrees_with(truth)


@points(1, "sweep")
def test_the_longest_wavelengths(answer, shared_draw):
    judge_column(answer, shared_draw, 0)


@points(1, "sweep")
def test_the_pairs_that_complete_a_cycle(answer, shared_draw):
    judge_column(answer, shared_draw, 1)


@points(1, "sweep")
def test_the_nearest_neighbours(answer, shared_draw):
    judge_column(answer, shared_draw, 2)
    expect(answer.sweep, (10, 10_000), 2, 8).agrees_with(reference.column(2))


VALUES = [probe for probe in BASE_FOR_LENGTH.probes if not probe.raises]
REFUSED = [probe for probe in BASE_FOR_LENGTH.probes if probe.raises]


@points(1, "base_for_length")
def test_base_at_drawn_lengths(answer, draw):
    expect(answer.base_for_length).passes_the_check(*VALUES)
    for T, d in ((draw.randint(8, 100_000), 2 * draw.randint(2, 256)), (draw.randint(7, 12), 4), (7, 6)):
        expect(answer.base_for_length, T, d).agrees_with(reference.base_for_length)


def gives_a_base(seen):
    """Require a number above 1. It may be the wrong base."""
    base = np.asarray(seen.actual)
    if base.ndim or base.dtype.kind not in "iuf" or not base > 1:
        return said("base_for_length(…) gave no base. Which lengths does it have to refuse, and which not?")


@points(1, "base_for_length")
def test_lengths_that_no_base_gives_are_refused(answer, draw):
    expect(answer.base_for_length).passes_the_check(*REFUSED)
    for T, d in ((draw.randint(7, 10_000), 2), (draw.randint(1, 5), 2 * draw.randint(2, 64)), (6, 4)):
        expect(answer.base_for_length, T, d).raises("ValueError")
    for T, d in ((draw.randint(100, 1000), 8), (7, 4)):  # an answer that refuses every length fails here
        expect(answer.base_for_length, T, d).follows(gives_a_base)


def shows_the_curves(observation):
    """Require the right curve for every base, without checking the axis labels."""
    return judge_curves(replace(observation, expected=reference_value(reference.draw_sweep, Probe(observation.args))))


@points(1, "draw_sweep")
def test_the_curves(answer, draw):
    falling = draw.choice((7_000, 90_000)), draw.randint(101, 599)  # unlike the lab's; more curves only take longer
    for args in ((BASES, 32), (falling, 2 * draw.choice((5, 6, 7)))):
        expect(answer.draw_sweep, *args).follows(shows_the_curves)


@points(1, "draw_sweep")
def test_a_figure_that_a_stranger_can_read(answer, draw):
    expect(answer.draw_sweep).passes_the_check()
    base = draw.randint(20, 90_000)
    expect(answer.draw_sweep, (base,), 8).agrees_with(reference.draw_sweep)


@points(1, "which_base")
def test_the_base_of_a_row(answer, draw):
    expect(answer.which_base).passes_the_check()
    for d, base in (
        (4, draw.randint(2, 50)),
        (4, draw.randint(250_000, 1_000_000)),
        (2 * draw.randint(3, 32), round(draw.randint(2, 9) + draw.uniform(0.2, 0.8), 2)),
        (2 * draw.randint(3, 32), draw.randint(100, 1_000_000)),
    ):
        expect(answer.which_base, RowOne(base, d)).agrees_with(reference.which_base)
    expect(answer.which_base, RowOne(draw.randint(2, 1_000_000), 64)).agrees_with(reference.which_base)
