"""Lab 05, base sweep: right and wrong answers."""

import math

import numpy as np

from labkit.course.base_sweep import OFFSETS
from minimodel.positional.sinusoidal import sinusoidal_pe
from mistaken import Samples

ANSWERS = Samples()
TURN = 2 * np.pi


def right_wavelengths(d, base):
    return TURN * float(base) ** (np.arange(0, d, 2) / d)


def all_distances(T, d, base):
    table = sinusoidal_pe(T, d, base=base)
    return np.linalg.norm(table[:, None] - table, axis=-1)


def nearest(T, d, base):
    return (all_distances(T, d, base) + np.diag(np.full(T, np.inf))).min()


def swept(bases, T, d, longest=lambda d, base: right_wavelengths(d, base)[-1], third=nearest):
    """The sweep with two of its columns to be chosen."""
    return np.array([(longest(d, base), (right_wavelengths(d, base) <= T).sum(), third(T, d, base)) for base in bases])


def plotted(bases, ax, curve, label="base {:,}", x=OFFSETS):
    """The figure with a curve to be chosen."""
    for base in bases:
        ax.plot(x, curve(base), label=label.format(base))
    ax.set(xscale="log", xlabel="offset", ylabel="similarity")
    ax.legend()


def similarity(d, base, offsets=OFFSETS):
    return np.cos(offsets[:, None] * TURN / right_wavelengths(d, base)).mean(axis=1)


# wavelengths


@ANSWERS.sample("wavelengths")
def a_power_of_an_array(d, base):
    return TURN * base ** (2 * np.arange(d // 2) / d)


@ANSWERS.sample("wavelengths")
def over_the_frequencies(d, base):
    omega = np.exp(-np.log(base) * np.arange(0, d, 2) / d)
    return 2 * math.pi / omega


@ANSWERS.sample("wavelengths")
def float32_throughout(d, base):
    k = np.arange(0, d, 2, dtype=np.float32)
    return np.float32(TURN) * np.float32(base) ** (k / np.float32(d))


@ANSWERS.sample("wavelengths")
def a_comprehension(d, base):
    return np.array([2 * math.pi * math.pow(base, 2 * k / d) for k in range(d // 2)])


@ANSWERS.sample("wavelengths")
def logspace(d, base):
    return TURN * np.logspace(0, (d - 2) / d, d // 2, base=base)


@ANSWERS.sample("wavelengths", "longest-wavelength")
def without_a_turn(d, base):
    return float(base) ** (np.arange(0, d, 2) / d)


@ANSWERS.sample("wavelengths", "longest-wavelength")
def exponent_k_over_d(d, base):
    return TURN * float(base) ** (np.arange(d // 2) / d)


@ANSWERS.sample("wavelengths", "longest-wavelength")
def k_from_one(d, base):
    return TURN * float(base) ** (2 * np.arange(1, d // 2 + 1) / d)


@ANSWERS.sample("wavelengths", "longest-wavelength")
def exponent_up_to_one(d, base):
    return TURN * float(base) ** np.linspace(0, 1, d // 2)


@ANSWERS.sample("wavelengths", "unknown")
def longest_first(d, base):
    return right_wavelengths(d, base)[::-1]


@ANSWERS.sample("wavelengths", "unknown")
def the_frequencies(d, base):
    return TURN / right_wavelengths(d, base)


@ANSWERS.sample("wavelengths", "unknown")
def one_for_each_column(d, base):
    return np.repeat(right_wavelengths(d, base), 2)


@ANSWERS.sample("wavelengths", "unknown")
def the_base_forgotten(d, base):
    return right_wavelengths(d, 10_000)


# longest_wavelength


@ANSWERS.sample("longest_wavelength")
def the_last_of_all(d, base):
    return right_wavelengths(d, base)[-1]


@ANSWERS.sample("longest_wavelength")
def by_the_formula(d, base):
    return 2 * math.pi * base ** ((d - 2) / d)


@ANSWERS.sample("longest_wavelength")
def the_greatest(d, base):
    return max(float(x) for x in right_wavelengths(d, base))


@ANSWERS.sample("longest_wavelength")
def as_an_array_without_dimensions(d, base):
    return np.array(TURN * base ** (1 - 2 / d))


@ANSWERS.sample("longest_wavelength", "longest-wavelength")
def a_turn_times_the_base(d, base):
    return TURN * base


@ANSWERS.sample("longest_wavelength", "longest-wavelength")
def the_base_itself(d, base):
    return base


@ANSWERS.sample("longest_wavelength", "longest-wavelength")
def one_over_omega(d, base):
    return base ** ((d - 2) / d)


@ANSWERS.sample("longest_wavelength", "longest-wavelength")
def half_of_the_exponent(d, base):
    return TURN * base ** ((d // 2 - 1) / d)


@ANSWERS.sample("longest_wavelength", "unknown")
def the_shortest(d, base):
    return right_wavelengths(d, base)[0]


@ANSWERS.sample("longest_wavelength", "unknown")
def the_last_but_one(d, base):
    return right_wavelengths(d, base)[-2:][0]


# sweep


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


@ANSWERS.sample("sweep", "longest-wavelength")
def sweep_with_a_turn_times_the_base(bases, T, d):
    return swept(bases, T, d, longest=lambda d, base: TURN * base)


@ANSWERS.sample("sweep", "longest-wavelength")
def sweep_with_the_base(bases, T, d):
    return swept(bases, T, d, longest=lambda d, base: base)


@ANSWERS.sample("sweep", "longest-wavelength")
def sweep_without_a_turn(bases, T, d):
    return swept(bases, T, d, longest=lambda d, base: base ** ((d - 2) / d))


@ANSWERS.sample("sweep", "longest-wavelength")
def sweep_with_k_over_d(bases, T, d):
    return swept(bases, T, d, longest=lambda d, base: TURN * base ** ((d // 2 - 1) / d))


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


@ANSWERS.sample("sweep", "bigger-is-apart")
def distances_in_ascending_order(bases, T, d):
    table = swept(bases, T, d)
    table[:, 2] = np.sort(table[:, 2])
    return table


@ANSWERS.sample("sweep", "collides-at-longest")
def nothing_beyond_the_longest(bases, T, d):
    return swept(
        bases, T, d, third=lambda T, d, base: nearest(T, d, base) if right_wavelengths(d, base)[-1] > T else 0.0
    )


@ANSWERS.sample("sweep", "unknown")
def adjacent_rows_alone(bases, T, d):
    def third(T, d, base):
        return np.linalg.norm(np.diff(sinusoidal_pe(T, d, base=base), axis=0), axis=1).min()

    return swept(bases, T, d, third=third)


@ANSWERS.sample("sweep", "unknown")
def columns_for_pairs(bases, T, d):
    return swept(bases, T, d) * [1, 2, 1]


@ANSWERS.sample("sweep", "unknown")
def the_farthest(bases, T, d):
    return swept(bases, T, d, third=lambda T, d, base: all_distances(T, d, base).max())


@ANSWERS.sample("sweep", "unknown")
def always_base_10000(bases, T, d):
    return swept(bases, T, d, third=lambda T, d, base: nearest(T, d, 10_000))


@ANSWERS.sample("sweep", "unknown")
def transposed(bases, T, d):
    return swept(bases, T, d).T


@ANSWERS.sample("sweep", "unknown")
def a_list_of_tuples(bases, T, d):
    return [tuple(row) for row in swept(bases, T, d)]


# base_for_length


def refuse(T, d):
    if d == 2 or T < TURN:
        raise ValueError("no base")


@ANSWERS.sample("base_for_length")
def solved(T, d):
    refuse(T, d)
    return (T / (2 * math.pi)) ** (d / (d - 2))


@ANSWERS.sample("base_for_length")
def with_logarithms(T, d):
    refuse(T, d)
    return np.exp(np.log(T / TURN) / (1 - 2 / d))


@ANSWERS.sample("base_for_length")
def by_bisection(T, d):
    refuse(T, d)
    low, high = 0.0, 60.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if right_wavelengths(d, math.exp(middle))[-1] < T else (low, middle)
    return math.exp(low)


@ANSWERS.sample("base_for_length")
def from_the_last_k(T, d):
    if d <= 2 or T <= TURN:
        raise ValueError
    k = d // 2 - 1
    return float(np.power(T / TURN, d / (2 * k)))


@ANSWERS.sample("base_for_length", "longest-wavelength")
def over_a_turn(T, d):
    refuse(T, d)
    return T / TURN


@ANSWERS.sample("base_for_length", "longest-wavelength")
def the_length_itself(T, d):
    refuse(T, d)
    return T


@ANSWERS.sample("base_for_length", "longest-wavelength")
def solved_for_k_over_d(T, d):
    refuse(T, d)
    return (T / TURN) ** (2 * d / (d - 2))


@ANSWERS.sample("base_for_length", "unknown")
def exponent_upside_down(T, d):
    refuse(T, d)
    return (T / TURN) ** ((d - 2) / d)


@ANSWERS.sample("base_for_length", "unknown")
def without_refusing(T, d):
    return (T / TURN) ** (d / (d - 2)) if d > 2 else math.inf


@ANSWERS.sample("base_for_length", "unknown")
def rounded(T, d):
    refuse(T, d)
    return round((T / TURN) ** (d / (d - 2)))


# draw_sweep


@ANSWERS.sample("draw_sweep")
def plotted_at_the_offsets(bases, d, ax):
    plotted(bases, ax, lambda base: similarity(d, base))


@ANSWERS.sample("draw_sweep")
def every_offset_from_a_float32_table(bases, d, ax):
    for base in bases:
        table = sinusoidal_pe(10_001, d, base=base)
        ax.semilogx(np.arange(1, 10_001), (table @ table[0] / (d / 2))[1:], lw=1, label=f"{base}")
    ax.set_xlabel("offset (positions)")
    ax.set_ylabel("S / (d/2)")
    ax.legend(title="base")


@ANSWERS.sample("draw_sweep")
def labels_in_scientific_form_and_a_line_at_zero(bases, d, ax):
    plotted(bases, ax, lambda base: similarity(d, base), label="B = {}")
    ax.axhline(0)


@ANSWERS.sample("draw_sweep")
def drawn_in_descending_order_with_lists(bases, d, ax):
    for base in reversed(bases):
        label = f"base {base:,}, d={d}".replace(",", " ", 1)
        ax.plot(list(OFFSETS)[::-1], list(similarity(d, base))[::-1], "o-", label=label)
    ax.set_xscale("log")
    ax.set(xlabel="offset", ylabel="similarity", title="Similarity")
    ax.legend(loc="upper right")


@ANSWERS.sample("draw_sweep", "bigger-is-apart")
def labels_reversed(bases, d, ax):
    mirror = dict(zip(bases, reversed(bases)))
    plotted(bases, ax, lambda base: similarity(d, mirror[base]))


@ANSWERS.sample("draw_sweep", "collides-at-longest")
def the_slowest_pair_alone(bases, d, ax):
    plotted(bases, ax, lambda base: np.cos(TURN * OFFSETS / right_wavelengths(d, base)[-1]))


@ANSWERS.sample("draw_sweep", "collides-at-longest")
def offsets_wrapped_at_the_longest(bases, d, ax):
    plotted(bases, ax, lambda base: similarity(d, base, OFFSETS % right_wavelengths(d, base)[-1]))


@ANSWERS.sample("draw_sweep", "unknown")
def not_divided(bases, d, ax):
    plotted(bases, ax, lambda base: d / 2 * similarity(d, base))


@ANSWERS.sample("draw_sweep", "unknown")
def a_linear_axis(bases, d, ax):
    plotted(bases, ax, lambda base: similarity(d, base))
    ax.set_xscale("linear")


@ANSWERS.sample("draw_sweep", "unknown")
def without_labels_on_lines(bases, d, ax):
    for base in bases:
        ax.plot(OFFSETS, similarity(d, base))
    ax.set(xscale="log", xlabel="offset", ylabel="similarity")


@ANSWERS.sample("draw_sweep", "unknown")
def without_a_legend(bases, d, ax):
    plotted(bases, ax, lambda base: similarity(d, base))
    ax.get_legend().remove()


@ANSWERS.sample("draw_sweep", "unknown")
def frequencies_for_wavelengths(bases, d, ax):
    plotted(bases, ax, lambda base: np.cos(OFFSETS[:, None] * right_wavelengths(d, base)).mean(axis=1))


@ANSWERS.sample("draw_sweep", "unknown")
def a_few_offsets(bases, d, ax):
    plotted(bases, ax, lambda base: similarity(d, base, OFFSETS[::4]), x=OFFSETS[::4])


@ANSWERS.sample("draw_sweep", "unknown")
def distances_for_similarities(bases, d, ax):
    plotted(bases, ax, lambda base: np.sqrt(d * (1 - similarity(d, base))))
