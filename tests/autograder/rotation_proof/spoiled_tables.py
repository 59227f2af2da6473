"""Draw tables with mistakes for grading lab 03. The rotation test accepts some of them."""

import numpy as np

from .reference import frequencies, table


def spoiled(draw, shortest=24, longest=48):
    """Draw float32 tables with mistakes, all of one random size, in random order and with random letters."""
    T, d = draw.randint(shortest, longest), 2 * draw.randint(4, 6)
    some = [*draw.sample(SURVIVING, draw.randint(1, 4)), *draw.sample(NOTICED, 3), *ONE_SIDED, *IN_PART, three_strands]
    draw.shuffle(some)
    letters = draw.sample("ABCDEFGHKLMNPQRSTUVWXYZ", len(some))
    return {letter: make(draw, T, d).astype(np.float32) for letter, make in zip(letters, some)}


def starts_later(draw, T, d):
    return table(T, d, first=draw.randint(1, 30))


def scaled(draw, T, d):
    return table(T, d) * draw.choice((-2.0, -0.5, 0.25, 3.0, 1 / np.sqrt(d)))


def a_pair_unwritten(draw, T, d):
    pair = draw.randrange(d // 2)
    return table(T, d) * (np.arange(d) // 2 != pair)


def every_pair_from_a_phase_of_its_own(draw, T, d):
    first = np.array([draw.uniform(0, 6) for _ in range(d // 2)])
    angle = np.arange(T)[:, None] * frequencies(d) + first
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(T, d)


def another_base(draw, T, d):
    angle = np.arange(T)[:, None] * frequencies(d, draw.choice((10.0, 100.0, 1000.0)))
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(T, d)


def pairs_exchanged(draw, T, d):
    return table(T, d).reshape(T, -1, 2)[..., ::-1].reshape(T, d)


def halves(draw, T, d):
    whole = table(T, d)
    return np.concatenate([whole[:, 0::2], whole[:, 1::2]], axis=1)


def backwards(draw, T, d):
    return table(T, d)[::-1]


def a_column_twice(draw, T, d):
    return np.repeat(table(T, d)[:, draw.randrange(2) :: 2], 2, axis=1)


def a_row_at_fault(draw, T, d):
    whole = table(T, d)
    whole[draw.choice((0, draw.randrange(1, T - 1), T - 1))] = 0.0
    return whole


def stops_at(draw, T, d):
    return table(T, d)[np.minimum(np.arange(T), draw.randint(6, T - 5))]


def ends_in_ones(draw, T, d):
    """Fill the last row with ones, as if a table from np.ones was never filled there. All its errors have the same sign."""
    whole = table(T, d)
    whole[-1] = 1.0
    return whole


def ends_in_minus_ones(draw, T, d):
    whole = table(T, d)
    whole[-1] = -1.0
    return whole


def last_rows_exchanged(draw, T, d):
    """Exchange the last two rows, so that errors add up to 0 in each column."""
    whole = table(T, d)
    whole[[-2, -1]] = whole[[-1, -2]]
    return whole


def last_row_backwards(draw, T, d):
    """Reverse the order of the last row's entries, so that its errors add up to 0."""
    whole = table(T, d)
    whole[-1] = whole[-1, ::-1].copy()
    return whole


def last_row_without_sines(draw, T, d):
    whole = table(T, d)
    whole[-1, 0::2] = 0.0
    return whole


def last_row_without_cosines(draw, T, d):
    whole = table(T, d)
    whole[-1, 1::2] = 0.0
    return whole


def first_pair_at_another_speed(draw, T, d):
    whole = table(T, d)
    whole[:, :2] = whole[:, 2:4]
    return whole


def last_pair_at_another_speed(draw, T, d):
    """Give the last pair a wrong speed. Earlier columns are right."""
    whole = table(T, d)
    whole[:, -2:] = whole[:, :2]
    return whole


def three_strands(draw, T, d):
    """Draw three unrelated sequences of rows and interleave them, so that only rows three apart belong together."""
    first = np.array([[draw.uniform(0, 6) for _ in range(d // 2)] for _ in range(3)])
    angle = np.arange(T)[:, None] * frequencies(d) + first[np.arange(T) % 3]
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(T, d)


ONE_SIDED = (ends_in_ones, ends_in_minus_ones)  # errors of one sign, so their maximum without `abs` may be 0
SURVIVING = (starts_later, scaled, a_pair_unwritten, every_pair_from_a_phase_of_its_own)
NOTICED = (another_base, pairs_exchanged, halves, backwards, a_column_twice, a_row_at_fault, stops_at)
IN_PART = (  # errors that add up to 0, or are only in some columns
    last_rows_exchanged,
    last_row_backwards,
    last_row_without_sines,
    last_row_without_cosines,
    first_pair_at_another_speed,
    last_pair_at_another_speed,
)
