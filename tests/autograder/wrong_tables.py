"""Wrong formulas that several labs share: wrong laws for the frequencies, and wrong tables."""

import numpy as np


def omega_of(d, base=10000.0):
    """omega_k = base**(-2k/d), k = 0 .. d/2 - 1."""
    return base ** (-2.0 * np.arange(d // 2) / d)


# Functions of d that give wrong frequencies, by the id of the mistake.
WRONG_FREQUENCIES = {
    "exponent-k-over-d": lambda d: 10000.0 ** (-np.arange(d // 2) / d),
    "exponent-4k-over-d": lambda d: 10000.0 ** (-4.0 * np.arange(d // 2) / d),
    "exponent-d-minus-2": lambda d: np.geomspace(1, 1e-4, d // 2),
    "k-from-one": lambda d: 10000.0 ** (-2.0 * np.arange(1, d // 2 + 1) / d),
    "missing-minus": lambda d: 1 / omega_of(d),
    "cycles": lambda d: 2 * np.pi * omega_of(d),
    "degrees": lambda d: np.deg2rad(omega_of(d)),
}

# These laws and further ones, by the id of the mistake. An id may have several.
LAWS = {
    **{id: [law] for id, law in WRONG_FREQUENCIES.items()},
    "exponent-d-minus-1": [
        lambda d: 10000.0 ** (-2.0 * np.arange(d // 2) / (d - 1)),
        lambda d: 10000.0 ** (1 - 2.0 * np.arange(d // 2) / d),
    ],
    "frequencies-reversed": [lambda d: omega_of(d)[::-1]],
    "integer-division": [lambda d: np.ones(d // 2)],
    "arithmetic-frequencies": [lambda d: np.linspace(1, 1e-4, d // 2), lambda d: 1 - 2.0 * np.arange(d // 2) / d],
    "lost-log": [
        lambda d: omega_of(d, np.e),
        lambda d: np.exp(-2.0 * np.arange(d // 2) / d * np.log10(10000)),
        lambda d: np.exp(-2.0 * np.arange(d // 2) / d * np.log2(10000)),
    ],
    "wrong-base": [lambda d, base=base: omega_of(d, base) for base in (10.0, 500.0, 1e3, 1e5, 5e5, 1e6)],
}


def angles_of(T, d, first=0):
    """The angle for each position and pair, starting at position `first`."""
    return np.arange(first, first + T)[:, None] * omega_of(d)


def woven(angles, even=np.sin, odd=np.cos):
    """Put one function of the angles in the even columns, and another in the odd ones."""
    return np.stack([even(angles), odd(angles)], axis=-1).reshape(len(angles), -1)


def bfloat16(values):
    """Round to 8 bits, as bfloat16 does."""
    mantissa, exponent = np.frexp(np.asarray(values, dtype=np.float64))
    return np.ldexp(np.round(mantissa * 256) / 256, exponent)


def table_of(T, d):
    """The right table."""
    return woven(angles_of(T, d))


def table_by(law):
    """Make a formula for the table with the frequencies `law(d)`."""
    return lambda T, d: woven(np.arange(T)[:, None] * law(d))


def without(T, d, rows=(), columns=()):
    """The right table with zeros in these rows or columns."""
    table = table_of(T, d)
    table[list(rows)] = 0
    table[:, list(columns)] = 0
    return table


def by_columns(exponents):
    """Make a table in which each column j has its own frequency, with this exponent: sines in even columns, cosines in odd ones."""

    def table(T, d):
        angles = np.arange(T)[:, None] * 10000.0 ** -exponents(np.arange(d), d)
        return np.where(np.arange(d) % 2, np.cos(angles), np.sin(angles))

    return table


# Functions of T and d that give a wrong table of shape (T, d), by the id of the mistake.
WRONG_TABLES = {
    **{id: [table_by(law) for law in laws] for id, laws in LAWS.items()},
    "divided-by-T": [lambda T, d: woven(np.arange(T)[:, None] * 10000.0 ** (-2.0 * np.arange(d // 2) / T))],
    "swapped-sin-cos": [lambda T, d: woven(angles_of(T, d), np.cos, np.sin)],
    "halves-layout": [lambda T, d: np.concatenate([np.sin(angles_of(T, d)), np.cos(angles_of(T, d))], axis=1)],
    "halves-swapped": [lambda T, d: np.concatenate([np.cos(angles_of(T, d)), np.sin(angles_of(T, d))], axis=1)],
    "positions-from-one": [lambda T, d: woven(angles_of(T, d, first=1))],
    "rows-reversed": [lambda T, d: table_of(T, d)[::-1]],
    "negative-position": [lambda T, d: woven(-angles_of(T, d))],
    "padding-row": [lambda T, d: without(T, d, rows=[0])],
    "scaled-position": [
        lambda T, d: woven(angles_of(T, d) / T),
        lambda T, d: woven(angles_of(T, d) / max(1, T - 1)),
        lambda T, d: woven(angles_of(T, d) * 2 * np.pi / T),
    ],
    "floored-angle": [lambda T, d: woven(np.floor(angles_of(T, d)))],
    "same-function-twice": [
        lambda T, d: woven(angles_of(T, d), np.sin, np.sin),
        lambda T, d: woven(angles_of(T, d), np.cos, np.cos),
    ],
    "cos-of-sin": [lambda T, d: woven(angles_of(T, d), np.sin, lambda angles: np.cos(np.sin(angles)))],
    "raw-column-j": [by_columns(lambda column, d: column / d)],
    "raw-column-2j": [by_columns(lambda column, d: 2 * column / d)],
    "columns-unwritten": [
        lambda T, d: without(T, d, columns=range(1, d, 2)),
        lambda T, d: without(T, d, columns=range(0, d, 2)),
    ],
    "last-pair-missing": [lambda T, d: without(T, d, columns=[d - 2, d - 1])],
    "wrong-stack-axis": [
        lambda T, d: np.stack([np.sin(angles_of(T, d)), np.cos(angles_of(T, d))]).reshape(T, d),
        lambda T, d: table_of(T, d).T.reshape(T, d),
    ],
    "integer-table": [lambda T, d: np.trunc(table_of(T, d))],
    "scaled-values": [
        lambda T, d: table_of(T, d) * np.sqrt(d),
        lambda T, d: table_of(T, d) / np.sqrt(d),
        lambda T, d: table_of(T, d) / np.sqrt(d / 2),
        lambda T, d: (table_of(T, d) + 1) / 2,
    ],
}
