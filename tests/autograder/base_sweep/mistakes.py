"""Formulas for the known mistakes in lab 05, base sweep. Each returns the values that a mistake leads to."""

import math
from itertools import permutations

import numpy as np

from labkit.author.source.wrong_formulas import in_column, telling, within

from . import reference
from .reference import TURN, similarity
from .wrong_positions import DECODE


def powers(exponents, of_base=lambda base: base):
    """Make a formula for wavelengths with other exponents, `exponents(k, d)`, or another base, `of_base(base)`."""
    return lambda d, base: ends(TURN * float(of_base(base)) ** exponents(np.arange(d // 2), d))


def ends(values):
    return telling(values, first=values[0], last=values[-1])


def changed(change):
    """Make a formula that computes the right wavelengths, then changes them."""
    return lambda d, base: ends(change(reference.wavelengths(d, base)))


def right(k, d):
    return 2.0 * k / d


WAVELENGTHS = {
    "longest-wavelength": changed(lambda turns: turns / TURN),
    "longest-wavelength/k-over-d": powers(lambda k, d: k / d),
    "longest-wavelength/k-from-one": powers(lambda k, d: right(k + 1, d)),
    "longest-wavelength/up-to-one": powers(lambda k, d: np.linspace(0, 1, d // 2)),
    "exponent-4k-over-d": powers(lambda k, d: 4.0 * k / d),
    "exponent-d-minus-1": powers(lambda k, d: 2.0 * k / (d - 1)),
    "integer-division": powers(lambda k, d: 2 * k // d),
    "operator-precedence": lambda d, base: ends(TURN * float(base) ** 2 * np.arange(d // 2) / d),
    "lost-log": [
        powers(right, lambda base, log=log: math.exp(log(base))) for log in (lambda base: 1, math.log10, math.log2)
    ],
    "base-ignored": powers(right, lambda base: 10_000),
    "frequencies-given": changed(lambda turns: TURN / turns),
    "frequencies-given/turns": changed(lambda turns: 1 / turns),
    "inverse-power": changed(lambda turns: TURN**2 / turns),
    "frequencies-reversed": changed(lambda turns: turns[::-1]),
    "half-turns": changed(lambda turns: turns / 2),
    "degrees": changed(np.rad2deg),
    "arithmetic-wavelengths": changed(lambda turns: np.linspace(turns[0], turns[-1], turns.size)),
    "rounded": [changed(np.round), changed(np.floor)],
    "last-pair-missing": lambda d, base: reference.wavelengths(d, base)[:-1],
    "one-per-column": lambda d, base: reference.wavelengths(d, base).repeat(2),
    "raw-column-j": [lambda d, base, by=by: TURN * float(base) ** (by * np.arange(d) / d) for by in (1.0, 2.0)],
}

# Wrong powers, and wrong things to do with a wavelength. An answer may have one of each.
POWERS = {
    "longest-wavelength/k-over-d-and": powers(lambda k, d: k / d),
    "exponent-4k-over-d/and": powers(lambda k, d: 4.0 * k / d),
    "base-ignored/and": powers(right, lambda base: 10_000),
}
CHANGES = {
    "longest-wavelength": lambda turns: turns / TURN,
    "frequencies-given": lambda turns: TURN / turns,
    "frequencies-given/turns": lambda turns: 1 / turns,
    "degrees": np.rad2deg,
    "half-turns": lambda turns: turns / 2,
    "one-per-column": lambda turns: turns.repeat(2),
}
WAVELENGTHS |= {
    f"{change} {power}": lambda d, base, wrong=wrong, way=way: ends(way(wrong(d, base).value))
    for change, way in CHANGES.items()
    for power, wrong in POWERS.items()
}


def swept(column, values):
    """Put wrong values into one column of the sweep. Only this column is compared."""

    def formula(bases, T, d):
        true = reference.sweep(bases, T, d)
        table = true.copy()
        table[:, column] = values(bases, T, d)
        row = np.argmax(~np.isclose(table[:, column], true[:, column], rtol=1e-3))
        facts = {"base": bases[row], "longest": true[row, 0], "seen": table[row, column]}
        ends = {"smallest": bases[0], "largest": bases[-1], "low": table[0, column], "high": table[-1, column]}
        return telling(table, **facts, **ends)

    return in_column(column, formula)


def longest(value):
    """Put `value(d, base)` into the sweep as the longest wavelength."""
    return swept(0, lambda bases, T, d: [value(d, float(base)) for base in bases])


def pairs(value):
    """Put `value(T, wavelengths)` into the sweep as the number of pairs."""
    return swept(1, lambda bases, T, d: [value(T, reference.wavelengths(d, base)) for base in bases])


def nearest(value):
    """Put `value(distances)` into the sweep as the nearest-neighbour distance. `distances` starts at offset 1."""
    return swept(2, lambda bases, T, d: [value(distances(T, d, base)) for base in bases])


def distances(T, d, base):
    return np.sqrt(d * (1 - similarity(np.arange(1, T), d, base)))


def true_nearest(bases, T, d):
    return reference.sweep(bases, T, d)[:, 2]


def of_all_pairs(values):
    """The mean over all pairs of rows, from one value per offset. Small offsets count more because more pairs have them."""
    return np.average(values, weights=np.arange(values.size, 0, -1))


def of_a_whole_block(values):
    """The smallest norm of a whole block: a row's differences from all the others, taken as one matrix."""
    squares = np.concatenate([[0], np.cumsum(np.square(values))])
    return np.sqrt((squares + squares[::-1]).min())


SWEEP = {
    "longest-wavelength": longest(lambda d, base: TURN * base),
    "longest-wavelength/base": longest(lambda d, base: base),
    "longest-wavelength/turn": longest(lambda d, base: base ** (1 - 2 / d)),
    "longest-wavelength/k-over-d": longest(lambda d, base: TURN * base ** (1 / 2 - 1 / d)),
    "shortest-wavelength": longest(lambda d, base: TURN),
    "last-pair-missing": longest(lambda d, base: reference.wavelengths(d, base)[-2]),
    "frequencies-given": [longest(lambda d, base: base ** (2 / d - 1)), longest(lambda d, base: TURN * base ** (2 / d - 1))],
    "base-ignored/longest": longest(lambda d, base: reference.wavelengths(d, 10_000)[-1]),
    "columns-for-pairs": pairs(lambda T, turns: 2 * (turns <= T).sum()),
    "last-position-lost": pairs(lambda T, turns: (turns <= T - 1).sum()),
    "cut-off": pairs(lambda T, turns: (np.floor(turns) <= T).sum()),
    "cycles": pairs(lambda T, turns: (turns / TURN <= T).sum()),
    "half-turns": pairs(lambda T, turns: (turns / 2 <= T).sum()),
    "exponent-k-over-d": pairs(lambda T, turns: (np.sqrt(turns * TURN) <= T).sum()),
    "degrees": pairs(lambda T, turns: (np.rad2deg(turns) <= T).sum()),
    "next-pair-counted": pairs(lambda T, turns: (turns <= T).sum() + 1),
    "index-for-count": pairs(lambda T, turns: (turns <= T).sum() - 1),
    "slow-pairs-counted": pairs(lambda T, turns: (turns > T).sum()),
    "all-pairs": pairs(lambda T, turns: turns.size),
    "part-of-all": pairs(lambda T, turns: (turns <= T).mean()),
    "turns-added-up": [pairs(lambda T, turns: (T / turns).sum()), pairs(lambda T, turns: (T // turns).sum())],
    "base-ignored/pairs": swept(1, lambda bases, T, d: (reference.wavelengths(d, 10_000) <= T).sum()),
    "nearest-neighbour": within(1e-2, nearest(lambda values: 0.0)),  # slightly above 0 if computed with a Gram matrix
    "nearest-neighbour/squared": nearest(lambda values: values.min() ** 2),
    "nearest-neighbour/cosine": swept(2, lambda bases, T, d: true_nearest(bases, T, d) ** 2 / d),
    "farthest": nearest(np.max),
    "mean-distance": [nearest(of_all_pairs), nearest(lambda values: of_all_pairs(values) * values.size / (values.size + 1))],
    "adjacent-rows": nearest(lambda values: values[0]),
    "norm-axis": [
        nearest(of_a_whole_block),
        nearest(lambda values: values[0] * np.sqrt(values.size)),
    ],
    "collides-at-longest": swept(
        2, lambda bases, T, d: true_nearest(bases, T, d) * (reference.sweep(bases, T, d)[:, 0] > T)
    ),
    "bigger-is-apart": [
        swept(2, lambda bases, T, d: d / 2 - true_nearest(bases, T, d) ** 2 / 2),
        swept(2, lambda bases, T, d: 1 - true_nearest(bases, T, d) ** 2 / d),
        swept(2, lambda bases, T, d: np.sort(true_nearest(bases, T, d))),
    ],
    "base-ignored": [
        swept(2, lambda bases, T, d: reference.nearest_neighbour(T, d, 10_000)),
        swept(2, lambda bases, T, d: reference.nearest_neighbour(T, d, bases[0])),
        swept(2, lambda bases, T, d: reference.nearest_neighbour(T, d, bases[-1])),
    ],
    "integer-table": [nearest(lambda values: np.trunc(values.min())), nearest(lambda values: np.round(values.min()))],
    "columns-exchanged": [
        lambda bases, T, d, order=order: reference.sweep(bases, T, d)[:, order]
        for order in map(list, permutations(range(3)))
        if order != [0, 1, 2]
    ],
    "transposed": lambda bases, T, d: reference.sweep(bases, T, d).T,
    "one-base-alone": [
        lambda bases, T, d, some=some: reference.sweep(bases, T, d)[some] for some in (0, np.s_[:1], -1, np.s_[-1:])
    ],
}  # fmt: skip


def turned_over(formula):
    """Make a formula that exchanges the rows and columns of a wrong sweep."""
    return lambda bases, T, d: (lambda wrong: telling(wrong.value.T, **wrong.facts))(formula(bases, T, d))


IN_ONE_COLUMN = (
    *("longest-wavelength" + variant for variant in ("", "/base", "/turn", "/k-over-d")),
    *("columns-for-pairs", "nearest-neighbour/squared", "adjacent-rows"),
)
SWEEP |= {f"transposed {id}": turned_over(SWEEP[id]) for id in IN_ONE_COLUMN}


def solved(base):
    """Make a formula that computes a wrong base from T / (2 pi) and the exponent of the last pair."""
    return lambda T, d: base(T / TURN, 1 - 2 / d)


BASE_FOR_LENGTH = {
    "longest-wavelength": solved(lambda turns, power: turns),
    "longest-wavelength/base": solved(lambda turns, power: TURN * turns),
    "longest-wavelength/k-over-d": solved(lambda turns, power: turns ** (2 / power)),
    "longest-wavelength/turn": solved(lambda turns, power: (TURN * turns) ** (1 / power)),
    "turn-counted-twice": solved(lambda turns, power: (TURN**2 * turns) ** (1 / power)),
    "half-turns": solved(lambda turns, power: (2 * turns) ** (1 / power)),
    "degrees": solved(lambda turns, power: np.deg2rad(turns) ** (1 / power)),
    "exponent-4k-over-d": solved(lambda turns, power: turns ** (1 / (2 * power))),
    "inverse-power": solved(lambda turns, power: turns**power),
    "missing-minus": solved(lambda turns, power: turns ** (-1 / power)),
    "exponent-d-minus-1": lambda T, d: (T / TURN) ** (d / (d - 1)),
    "last-pair-missing": lambda T, d: (T / TURN) ** (d / (d - 4)),
    "wavelength-given": solved(lambda turns, power: TURN * (TURN * turns) ** power),
    "step-given": lambda T, d: (T / TURN) ** (2 / (d - 2)),
    "logarithm-given": [
        solved(lambda turns, power, log=log: log(turns) / power) for log in (math.log, math.log10, math.log2)
    ],
    "lost-log": [
        solved(lambda turns, power: 10 ** (math.log(turns) / power)),
        solved(lambda turns, power: math.exp(math.log10(turns) / power)),
    ],
    "operator-precedence": [solved(lambda turns, power: turns / power)],
    "rounded": [
        lambda T, d, whole=whole: whole(reference.base_for_length(T, d)) for whole in (round, math.floor, math.ceil)
    ],
}


def from_hand(base, hand=-1, angles=reference.angles):
    """Make a formula that computes a wrong base from one hand's angle, its index k, and d."""

    def found(row):
        k = hand % (row.size // 2)
        return base(float(angles(row)[k]), k, row.size)

    return found


def either(base):
    """Make two formulas: one reads the slowest hand, the other the second-fastest."""
    return [from_hand(base), from_hand(base, 1)]


def power_of(angle, k, d):
    return angle ** (-d / (2 * k))


def in_halves(row):
    sines, cosines = np.split(row.astype(np.float64), 2)
    return np.arctan2(sines, cosines)


def from_cosines(row):
    """Angles from the cosines alone, in float32: too coarse for small angles."""
    return np.arccos(row[1::2])


WHICH_BASE = {
    "frequency-given": either(lambda angle, k, d: angle),
    "exponent-forgotten": from_hand(lambda angle, k, d: 1 / angle),
    "step-given": from_hand(lambda angle, k, d: 1 / angle, 1),
    "wavelength-given": either(lambda angle, k, d: TURN / angle),
    "missing-minus": either(lambda angle, k, d: 1 / power_of(angle, k, d)),
    "exponent-k-over-d": either(lambda angle, k, d: power_of(angle, k, d) ** 2),
    "exponent-4k-over-d": either(lambda angle, k, d: power_of(angle, k, d) ** 0.5),
    "exponent-d-minus-1": from_hand(lambda angle, k, d: angle ** (-d / (d - 1))),
    "inverse-power": either(lambda angle, k, d: angle ** (-2 * k / d)),
    "logarithm-given": either(lambda angle, k, d: math.log(power_of(angle, k, d))),
    "turn-lost": either(lambda angle, k, d: power_of(angle / TURN, k, d)),
    "degrees": either(lambda angle, k, d: power_of(math.degrees(angle), k, d)),
    "arctan2-exchanged": [from_hand(power_of, hand, lambda row: np.pi / 2 - reference.angles(row)) for hand in (-1, 1)],
    "halves-layout": from_hand(power_of, -1, in_halves),
    "first-pair-alone": lambda row: 1.0,
    "cosines-only": [from_hand(power_of, hand, from_cosines) for hand in (-1, 1)],
    "rounded": lambda row: round(reference.which_base(row)),
}

WRONG = {
    "wavelengths": WAVELENGTHS,
    "decode": DECODE,
    "sweep": SWEEP,
    "base_for_length": BASE_FOR_LENGTH,
    "which_base": WHICH_BASE,
}
