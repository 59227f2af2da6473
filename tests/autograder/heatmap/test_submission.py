"""Graded tests of lab 02, heatmap."""

import math

import numpy as np
import pytest

from encoding_labs.heatmap import curves, pictures
from encoding_labs.tables import Table
from labkit.judge.expect import expect
from labkit.student.calls.figure_rules import draws_on_its_axes

from . import reference

points = pytest.mark.points


def drawn_table(draw, T=None, top=1.0):
    """Make a table of random size and entries. Its smallest entry is near -0.6, and its largest is `top`."""
    shape = T or draw.randint(5, 60), 2 * draw.randint(2, 30)
    table = np.random.default_rng(draw.randint(0, 2**32)).uniform(-0.6, 0.98 * top, shape)
    table[draw.randint(0, shape[0] - 1), draw.randint(0, shape[1] - 1)] = top
    return table.astype(np.float32)


def long_and_low(draw):
    """Draw two tables, the same for all checks: one with rows of about a pixel and no entry near ±1, one with none near 1."""
    return drawn_table(draw, draw.randint(400, 450), top=draw.uniform(0.7, 0.9)), -drawn_table(draw)


@points(1, "draw_heatmap")
def test_every_value_is_drawn_at_its_position(answer, shared_draw):
    _, low = long_and_low(shared_draw)
    for table in (Table(400, 32), low):
        expect(answer.draw_heatmap, table).follows(pictures.stands_upright)


@points(1, "draw_heatmap")
def test_colours_show_the_sign_and_the_middle_is_zero(answer, shared_draw):
    for table in (Table(400, 32), Table(3, 8), *long_and_low(shared_draw)):
        expect(answer.draw_heatmap, table).follows(pictures.centres_on_zero, pictures.shows_the_sign)


@points(1, "draw_heatmap")
def test_no_colour_is_invented(answer, shared_draw):
    long, _ = long_and_low(shared_draw)
    for table in (Table(400, 32), long):
        expect(answer.draw_heatmap, table).follows(pictures.invents_nothing)


@points(1, "draw_heatmap")
def test_a_stranger_can_read_it(answer, shared_draw):
    _, low = long_and_low(shared_draw)
    expect(answer.draw_heatmap, low).follows(draws_on_its_axes, pictures.tells_a_stranger)


@points(1, "full_cycles")
def test_cycles_at_the_sizes_of_the_lab(answer, draw):
    expect(answer.full_cycles).passes_the_check()
    expect(answer.full_cycles, draw.choice((40, 90, 700, 3000)), 48).agrees_with(reference.full_cycles)


def close(T, wavelength):
    """Whether T, between 300 and 5000, is within 0.03 % of a wavelength, but not so close that float32 rounding matters."""
    return 300 < T < 5000 and 2e-5 < abs(T / wavelength - 1) < 3e-4


@points(1, "full_cycles")
def test_cycles_at_drawn_sizes(answer, draw):
    for _ in range(4):
        T, d = draw.randint(7, 5000), 2 * draw.randint(2, 128)
        if abs(reference.wavelengths(d) / T - 1).min() > 1e-3:  # so that rounding cannot change the count
            expect(answer.full_cycles, T, d).agrees_with(reference.full_cycles)
    for _ in range(3):  # T is a wavelength rounded up, so T - 1 positions are too few for that pair
        d = 2 * draw.randint(4, 64)
        wavelength = draw.choice([each for each in reference.wavelengths(d) if each < 2000 and -each % 1 > 0.01])
        expect(answer.full_cycles, math.ceil(wavelength), d).agrees_with(reference.full_cycles)
    for whole in (math.floor, math.ceil):  # T so close to a wavelength that 3.14 and 22/7 are not precise enough
        near = [(T, d) for d in range(16, 97, 2) for each in reference.wavelengths(d) if close(T := whole(each), each)]
        expect(answer.full_cycles, *draw.choice(near)).agrees_with(reference.full_cycles)
    expect(answer.full_cycles, draw.randint(70_000, 90_000), 2 * draw.randint(4, 16)).agrees_with(reference.full_cycles)


def short_and_long(draw):
    """Draw a table that no formula gives, and one longer than the lab's, each with three of its columns."""
    short, d = drawn_table(draw), 2 * draw.randint(4, 30)
    for table, width in ((short, short.shape[1]), (Table(draw.randint(120, 200), d), d)):
        yield table, tuple(draw.sample(range(width), 3))


@points(1, "draw_columns")
def test_lines_are_the_chosen_columns(answer, shared_draw):
    for table, columns in short_and_long(shared_draw):
        expect(answer.draw_columns, table, columns).follows(curves.shows_the_columns)


@points(1, "draw_columns")
def test_lines_name_their_wavelengths(answer, shared_draw):
    expect(answer.draw_columns).passes_the_check()
    _, long = short_and_long(shared_draw)
    expect(answer.draw_columns, *long).agrees_with(reference.draw_columns)


@points(1, "read_a_figure")
def test_pictures_are_read(answer, draw):
    expect(answer.read_a_figure).passes_the_check()
    for top, most in ((0.8, 12), (1.0, 70), (3.0, 12)):  # sizes and values unlike the lab's
        picture = drawn_table(draw, draw.randint(max(2, most - 10), most), top)
        expect(answer.read_a_figure, picture).agrees_with(reference.read_a_figure)


@points(1, "seen_wavelength")
def test_waves_as_pictures_of_drawn_steps_show_them(answer, draw):
    for whole in (0, 1, draw.randint(2, 6)):
        for part in (draw.uniform(0.05, 0.45), draw.uniform(0.55, 0.95)):  # apparent motion forwards, then backwards
            wavelength = round(draw.uniform(5, 80), 2)
            step = round((whole + part) * wavelength, 2)
            expect(answer.seen_wavelength, wavelength, step).agrees_with(reference.seen_wavelength)
