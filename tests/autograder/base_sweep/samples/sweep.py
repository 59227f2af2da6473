"""Lab 05, base sweep: right and wrong answers to `sweep`."""

import numpy as np

from autograder.samples import Samples
from minimodel.positional.sinusoidal import sinusoidal_pe

from . import TURN, right_wavelengths, similarity

ANSWERS = Samples()


def all_distances(T, d, base):
    table = sinusoidal_pe(T, d, base=base)
    return np.linalg.norm(table[:, None] - table, axis=-1)


def nearest(T, d, base):
    return (all_distances(T, d, base) + np.diag(np.full(T, np.inf))).min()


def swept(bases, T, d, longest=lambda d, base: right_wavelengths(d, base)[-1], third=nearest):
    """The sweep with two of its columns to be chosen."""
    return np.array([(longest(d, base), (right_wavelengths(d, base) <= T).sum(), third(T, d, base)) for base in bases])


@ANSWERS.sample("sweep")
def infinity_on_the_diagonal(bases, T, d):
    return swept(bases, T, d)


@ANSWERS.sample("sweep")
def pair_by_pair(bases, T, d):
    found = []
    for base in bases:
        table, turns = sinusoidal_pe(T, d, base=base), right_wavelengths(d, base)
        distances = [np.sqrt(((table[p + 1 :] - table[p]) ** 2).sum(axis=1)).min() for p in range(T - 1)]
        found.append([turns[-1], sum(turn <= T for turn in turns), min(distances)])
    return np.array(found)


@ANSWERS.sample("sweep")
def by_offset_from_the_closed_form(bases, T, d):
    return swept(bases, T, d, third=lambda T, d, base: np.sqrt(d - d * similarity(d, base, np.arange(1, T)).max()))


@ANSWERS.sample("sweep")
def from_the_gram_matrix_in_float32(bases, T, d):
    def third(T, d, base):
        table = sinusoidal_pe(T, d, base=base)
        squares = (table**2).sum(axis=1)
        return np.sqrt((squares[:, None] + squares - 2 * table @ table.T)[np.triu_indices(T, 1)].min())

    return swept(bases, T, d, third=third)


@ANSWERS.sample("sweep")
def second_smallest_of_each_row(bases, T, d):
    return swept(bases, T, d, third=lambda T, d, base: np.sort(all_distances(T, d, base), axis=1)[:, 1].min())


@ANSWERS.sample("sweep")
def filled_in_float32(bases, T, d):
    table = np.zeros((len(bases), 3), dtype=np.float32)
    table[:] = swept(bases, T, d)
    return table


@ANSWERS.sample("sweep")
def column_by_column(bases, T, d):
    found = np.empty((len(bases), 3))
    found[:, 0] = [right_wavelengths(d, base).max() for base in bases]
    found[:, 1] = [np.count_nonzero(right_wavelengths(d, base) <= T) for base in bases]
    found[:, 2] = [nearest(T, d, base) for base in bases]
    return found


@ANSWERS.sample("sweep")
def from_the_offsets_of_row_0(bases, T, d):
    def third(T, d, base):
        table = sinusoidal_pe(T, d, base=base)
        return np.linalg.norm(table[1:] - table[0], axis=1).min()

    return swept(bases, T, d, third=third)


@ANSWERS.sample("sweep", "longest-wavelength")
def sweep_with_a_turn_times_the_base(bases, T, d):
    return swept(bases, T, d, longest=lambda d, base: TURN * base)


@ANSWERS.sample("sweep", "longest-wavelength", "nearest-neighbour")
def two_mistakes_in_two_columns(bases, T, d):
    return swept(bases, T, d, lambda d, base: base, lambda T, d, base: all_distances(T, d, base).min())


@ANSWERS.sample("sweep", "longest-wavelength", "cycles")
def by_wavelengths_without_a_turn(bases, T, d):
    found = swept(bases, T, d)
    for row, base in zip(found, bases):
        wavelengths = right_wavelengths(d, base) / TURN
        row[:2] = wavelengths[-1], (wavelengths <= T).sum()
    return found


@ANSWERS.sample("sweep", "nearest-neighbour")
def itself_in_float32(bases, T, d):
    def third(T, d, base):
        gram = (table := sinusoidal_pe(T, d, base=base)) @ table.T
        return np.sqrt(np.abs(np.diag(gram)[:, None] + np.diag(gram) - 2 * gram).min())

    return swept(bases, T, d, third=third)


@ANSWERS.sample("sweep", "one-base-alone")
def returned_from_within_the_loop(bases, T, d):
    for base in bases:
        return swept([base], T, d)


@ANSWERS.sample("sweep", "nearest-neighbour")
def self_counted(bases, T, d):
    return swept(bases, T, d, third=lambda T, d, base: all_distances(T, d, base).min())


@ANSWERS.sample("sweep", "nearest-neighbour")
def squared(bases, T, d):
    return swept(bases, T, d, third=lambda T, d, base: nearest(T, d, base) ** 2)


@ANSWERS.sample("sweep", "nearest-neighbour")
def cosine_distance(bases, T, d):
    def third(T, d, base):
        table = sinusoidal_pe(T, d, base=base)
        unit = table / np.linalg.norm(table, axis=1, keepdims=True)
        return (1 - unit @ unit.T)[np.triu_indices(T, 1)].min()

    return swept(bases, T, d, third=third)


@ANSWERS.sample("sweep", "bigger-is-apart")
def similarity_for_distance(bases, T, d):
    return swept(bases, T, d, third=lambda T, d, base: d / 2 * similarity(d, base, np.arange(1, T)).max())


@ANSWERS.sample("sweep", "collides-at-longest")
def nothing_beyond_the_longest(bases, T, d):
    return swept(
        bases, T, d, third=lambda T, d, base: nearest(T, d, base) if right_wavelengths(d, base)[-1] > T else 0.0
    )


@ANSWERS.sample("sweep", "adjacent-rows")
def adjacent_rows_alone(bases, T, d):
    def third(T, d, base):
        return np.linalg.norm(np.diff(sinusoidal_pe(T, d, base=base), axis=0), axis=1).min()

    return swept(bases, T, d, third=third)


@ANSWERS.sample("sweep", "farthest")
def the_farthest(bases, T, d):
    return swept(bases, T, d, third=lambda T, d, base: all_distances(T, d, base).max())


@ANSWERS.sample("sweep", "base-ignored")
def always_base_10000(bases, T, d):
    return swept(bases, T, d, third=lambda T, d, base: nearest(T, d, 10_000))


@ANSWERS.sample("sweep", "unknown")
def a_list_of_tuples(bases, T, d):
    return [tuple(row) for row in swept(bases, T, d)]


@ANSWERS.sample("sweep", "last-position-lost")
def cycles_before_the_last_position(bases, T, d):
    found = swept(bases, T, d)
    found[:, 1] = [(right_wavelengths(d, base) <= T - 1).sum() for base in bases]
    return found


@ANSWERS.sample("sweep", "cut-off")
def wavelengths_cut_off(bases, T, d):
    found = swept(bases, T, d)
    found[:, 1] = [(right_wavelengths(d, base).astype(int) <= T).sum() for base in bases]
    return found


@ANSWERS.sample("sweep", "unknown")
def the_first_column_alone(bases, T, d):
    found = np.full((len(bases), 3), -1.0)
    found[:, 0] = [right_wavelengths(d, base)[-1] for base in bases]
    return found


@ANSWERS.sample("sweep", "integer-table")
def an_array_of_whole_numbers(bases, T, d):
    return swept(bases, T, d).astype(int)


@ANSWERS.sample("sweep", "unseen")
def the_last_two_rows_never_meet(bases, T, d):
    def third(T, d, base):
        table = sinusoidal_pe(T, d, base=base)
        return min(np.linalg.norm(table[p + 1 :] - table[p], axis=1).min() for p in range(T - 2))

    return swept(bases, T, d, third=third)
