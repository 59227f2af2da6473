"""Lab 05, base sweep: right and wrong answers to `sweep`."""

import numpy as np

from autograder.samples import Sample, Samples
from minimodel.positional.sinusoidal import sinusoidal_pe

from . import TURN, right_wavelengths, similarity

ANSWERS = Samples()


def all_distances(T, d, base):
    table = sinusoidal_pe(T, d, base=base)
    return np.linalg.norm(table[:, None] - table, axis=-1)


def nearest(T, d, base):
    return (all_distances(T, d, base) + np.diag(np.full(T, np.inf))).min()


def swept(bases, T, d, longest=lambda d, base: right_wavelengths(d, base)[-1], third=nearest):
    """Compute the sweep. `longest` and `third` compute its first and last column."""
    return np.array([(longest(d, base), (right_wavelengths(d, base) <= T).sum(), third(T, d, base)) for base in bases])


@ANSWERS.sample("sweep")
def pair_by_pair(bases, T, d):
    found = []
    for base in bases:
        table, turns = sinusoidal_pe(T, d, base=base), right_wavelengths(d, base)
        distances = [np.sqrt(((table[p + 1 :] - table[p]) ** 2).sum(axis=1)).min() for p in range(T - 1)]
        found.append([turns[-1], sum(turn <= T for turn in turns), min(distances)])
    return np.array(found)


def by_gram(T, d, base):
    """Compute the squared distances of all rows from their dot products, in float32."""
    table = sinusoidal_pe(T, d, base=base)
    squares = (table**2).sum(axis=1)
    return squares[:, None] + squares - 2 * table @ table.T


def from_row_0(T, d, base):
    table = sinusoidal_pe(T, d, base=base)
    return np.linalg.norm(table[1:] - table[0], axis=1)


for style, third in (
    ("by offset, from the closed form", lambda T, d, base: np.sqrt(d - d * similarity(d, base, np.arange(1, T)).max())),
    ("the Gram matrix in float32", lambda T, d, base: np.sqrt(by_gram(T, d, base)[np.triu_indices(T, 1)].min())),
    ("the offsets of row 0", lambda T, d, base: from_row_0(T, d, base).min()),
):
    ANSWERS.append(Sample("sweep", style, lambda *given, third=third: swept(*given, third=third)))

ANSWERS.append(Sample("sweep", "in float32", lambda *given: swept(*given).astype(np.float32)))


@ANSWERS.sample("sweep", "longest-wavelength", "cycles")
def by_wavelengths_without_a_turn(bases, T, d):
    found = swept(bases, T, d)
    for row, base in zip(found, bases):
        wavelengths = right_wavelengths(d, base) / TURN
        row[:2] = wavelengths[-1], (wavelengths <= T).sum()
    return found


@ANSWERS.sample("sweep", "one-base-alone")
def returned_from_within_the_loop(bases, T, d):
    for base in bases:
        return swept([base], T, d)


def cosine_distance(T, d, base):
    table = sinusoidal_pe(T, d, base=base)
    unit = table / np.linalg.norm(table, axis=1, keepdims=True)
    return (1 - unit @ unit.T)[np.triu_indices(T, 1)].min()


def all_but_the_last_two(T, d, base):
    table = sinusoidal_pe(T, d, base=base)
    return min(np.linalg.norm(table[p + 1 :] - table[p], axis=1).min() for p in range(T - 2))


for style, mistakes, third in (
    ("itself, by way of the Gram matrix", "nearest-neighbour", lambda *given: np.sqrt(np.abs(by_gram(*given)).min())),
    ("squared, by way of the Gram matrix", "nearest-neighbour", lambda T, d, base: by_gram(T, d, base)[np.triu_indices(T, 1)].min()),
    ("1 minus the cosine in float32", "nearest-neighbour", cosine_distance),
    ("similarity for distance", "bigger-is-apart", lambda T, d, base: d / 2 * similarity(d, base, np.arange(1, T)).max()),
    ("nothing beyond the longest", "collides-at-longest", lambda T, d, base: nearest(T, d, base) * (right_wavelengths(d, base)[-1] > T)),
    ("differences of the table", "adjacent-rows", lambda T, d, base: np.linalg.norm(np.diff(sinusoidal_pe(T, d, base=base), axis=0), axis=1).min()),
    ("the farthest in float32", "farthest", lambda *given: all_distances(*given).max()),
    ("always base 10000", "base-ignored", lambda T, d, base: nearest(T, d, 10_000)),
    ("the last two rows never meet", "unseen", all_but_the_last_two),
):  # fmt: skip
    ANSWERS.append(Sample("sweep", style, lambda *given, third=third: swept(*given, third=third), (mistakes,)))


def with_pairs(count):
    """Make an answer whose second column is `count(T, wavelengths)`."""

    def answer(bases, T, d):
        found = swept(bases, T, d)
        found[:, 1] = [count(T, right_wavelengths(d, base)) for base in bases]
        return found

    return answer


def an_array_of_whole_numbers(bases, T, d):
    return swept(bases, T, d).astype(int)


for style, mistakes, answer in (
    ("two mistakes in two columns", ("longest-wavelength", "nearest-neighbour"), lambda *given: swept(*given, lambda d, base: base, lambda *given: 0)),
    ("cut off by astype", ("cut-off",), with_pairs(lambda T, turns: (turns.astype(int) <= T).sum())),
    ("below T - 1 in a loop", ("last-position-lost",), with_pairs(lambda T, turns: sum(turn <= T - 1 for turn in turns))),
    ("an array of whole numbers", ("integer-table",), an_array_of_whole_numbers),
    ("a list of tuples", ("unknown",), lambda *given: [tuple(row) for row in swept(*given)]),
    ("the first column alone", ("unknown",), lambda *given: np.where([True, False, False], swept(*given), -1)),
):  # fmt: skip
    ANSWERS.append(Sample("sweep", style, answer, mistakes))


@ANSWERS.sample("sweep", "unknown")
def the_base_as_a_first_column(bases, T, d):
    return np.column_stack([bases, swept(bases, T, d)])


@ANSWERS.sample("sweep", "adjacent-rows")
def a_norm_without_an_axis(bases, T, d):
    def smallest(T, d, base):
        table = sinusoidal_pe(T, d, base=base)
        return min(np.linalg.norm(table[p + 1 :] - table[p]) for p in range(T - 1))

    return swept(bases, T, d, third=smallest)


@ANSWERS.sample("sweep", "norm-axis")
def a_norm_without_an_axis_for_each_row(bases, T, d):
    def smallest(T, d, base):
        table = sinusoidal_pe(T, d, base=base)
        return min(np.linalg.norm(table - row) for row in table)

    return swept(bases, T, d, third=smallest)
