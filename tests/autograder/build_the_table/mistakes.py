"""Formulas for known mistakes in lab 01, build the table.

`encoding_labs.build_the_table.mistakes` recognizes most mistakes in `frequencies` and `sinusoidal_pe`, including two at once.
"""

from itertools import product

import numpy as np

from autograder.wrong_tables import (
    LAWS,
    WRONG_TABLES,
    angles_of,
    bfloat16,
    omega_of,
    table_by,
    table_of,
    without,
    woven,
)
from labkit.author.source.wrong_formulas import telling

from .wrong_orders import UNSHUFFLE

ROW = table_of(4, 4)[3]
LAST = 1e-4  # one unit in the last decimal place of `by_hand`


def row_by(table):
    """Make an answer to `by_hand` from row 3 of a table."""
    return lambda: table(4, 4)[3]


def row_of(position):
    return lambda: telling(table_of(position + 1, 4)[position], position=position)


def badly_rounded():
    """All wrong rows that result from rounding each number up or down."""
    rows = product(*zip(np.floor(ROW / LAST) * LAST, np.ceil(ROW / LAST) * LAST))
    return [lambda row=row: row for row in rows if not np.allclose(row, np.round(ROW, 4), atol=LAST / 2)]


def refusing(table):
    """Wrap a table function so that it raises ValueError for invalid sizes."""

    def answer(T, d):
        if T < 0 or d <= 0 or d % 2:
            raise ValueError("no such table")
        return table(T, d)

    return answer


def begins(row):
    """The first four entries of a row in words, and the first two of its second half."""
    first, half = (", ".join(f"{x + 0.0:.4g}" for x in part) for part in (row[:4], row[len(row) // 2 :][:2]))
    return {"row": first, "half": half}


def in_halves(law):
    """Make a table with the frequencies `law(d)` and all sines before all cosines."""

    def table(T, d):
        angles = np.arange(T)[:, None] * law(d)
        halves = np.hstack([np.sin(angles), np.cos(angles)])
        return telling(halves, **begins(halves[0] if T else []))

    return table


def with_last(law):
    return lambda d: telling(law(d), last=law(d)[-1])


def with_largest(table):
    return lambda T, d: telling(table(T, d), largest=table(T, d).max(initial=0))


def vector_by(table, law=None):
    """Make an answer that flattens the table row by row. It also has facts for messages: the start of row 0 and the pairs' speeds.

    law: the frequencies as a function of d, needed if the pairs turn too fast to read their speeds from the table.
    """

    def vector(seed, T, d_model):
        values = table(T, d_model)
        later = values[min(1, T - 1)]
        omega = law(d_model) if law else np.arctan2(later[0::2], later[1::2])
        second = omega[min(1, omega.size - 1)]
        with np.errstate(all="ignore"):
            ratio = second / omega[0]
            speeds = {
                "first": omega[0],
                "second": second,
                "last": omega[-1],
                "ratio": ratio,
                "base": ratio ** (-d_model / 2),
            }
        return telling(values.ravel(), **begins(values[0]), **speeds)

    return vector


BY_HAND = (
    "frequencies-reversed",
    "cycles",
    "swapped-sin-cos",
    "halves-layout",
    "halves-swapped",
    "same-function-twice",
    "negative-position",
)

# Wrong frequencies from real programs, by the id of the mistake.
SHIPPED = {
    "operator-precedence/floor-division": [lambda d: np.exp(np.arange(0, d, 2) * (-np.log(10000) / d // 2))],
    "operator-precedence/power-tower": [lambda d: 10.0 ** -(4.0 ** (2 * np.arange(d // 2) / d))],
    "integer-division/whole-factor": [lambda d: np.exp(np.arange(0, d, 2) * int(-np.log(10000) / d))],
    "base-and-exponent-swapped": [
        lambda d: (2 * np.arange(d // 2) / d) ** (1 / 10000),
        lambda d: (np.arange(d // 2) / d) ** (1 / 10000),
        lambda d: (np.arange(d // 2) / (d // 2 - 1 or 1)) ** (1 / 10000),
    ],
}


# Angles from positions and frequencies, with some of them rounded to bfloat16.
COARSE_ANGLES = (
    lambda p, omega: bfloat16(p * omega),
    lambda p, omega: bfloat16(bfloat16(p) * bfloat16(omega)),
    lambda p, omega: bfloat16(p * bfloat16(omega)),
    lambda p, omega: p * bfloat16(omega),
    lambda p, omega: bfloat16(p) * omega,
    lambda p, omega: bfloat16(p) * bfloat16(omega),
)


def coarsely(angles, waves=np.asarray):
    """Make a table from rounded angles. `waves` also rounds the sines and cosines."""
    return lambda T, d: waves(woven(angles(np.arange(T)[:, None], omega_of(d))))


BFLOAT16 = [coarsely(angles, waves) for angles in COARSE_ANGLES for waves in (np.asarray, bfloat16)]

# Wrong tables of the right shape, also flattened for `sinusoidal_pos`.
OTHER_TABLES = {
    "wavelengths": [table_by(lambda d: 2 * np.pi / omega_of(d))],
    "doubled-angle": [lambda T, d: woven(2 * angles_of(T, d))],
    "squared-position": [lambda T, d: woven(np.arange(T)[:, None] ** 2 * omega_of(d))],
    "frequency-outside": [lambda T, d: table_by(lambda d: np.ones(d // 2))(T, d) * np.repeat(omega_of(d), 2)],
    "all-negated": [lambda T, d: -table_of(T, d)],
    "tangent": [lambda T, d: woven(angles_of(T, d), np.sin, np.tan)],
}

WRONG = {
    "by_hand": {
        **{id: [row_by(table) for table in WRONG_TABLES[id]] for id in BY_HAND},
        "degrees": lambda: telling(table_by(LAWS["degrees"][0])(4, 4)[3], first=np.sin(np.deg2rad(3))),
        "positions-from-one": [row_of(1), row_of(2), row_of(4)],
        "frequency-outside": row_by(OTHER_TABLES["frequency-outside"][0]),
        "sign-lost": lambda: np.abs(ROW),
        "angles-alone": lambda: np.repeat(angles_of(4, 4)[3], 2),
        "few-decimals": [lambda n=n: np.round(ROW, n) for n in (1, 2, 3)],
        "low-precision": badly_rounded(),
    },
    "frequencies": {
        **SHIPPED,
        "wavelengths": lambda d: 2 * np.pi / omega_of(d),
        "exponents-alone": [
            with_last(lambda d: 2.0 * np.arange(d // 2) / d),
            with_last(lambda d: -2.0 * np.arange(d // 2) / d),
            with_last(lambda d: np.log(omega_of(d))),
        ],
        "minus-outside": [lambda d: -omega_of(d), lambda d: -1 / omega_of(d)],
        "single-number": [
            lambda d: telling(omega_of(d)[1], only=omega_of(d)[1]),
            lambda d: telling(omega_of(d)[-1], only=omega_of(d)[-1]),
        ],
    },
    "sinusoidal_pe": {
        id: [refusing(table) for table in tables]
        for id, tables in {
            **{id: [table_by(law) for law in laws] for id, laws in SHIPPED.items()},
            "halves-layout base-and-exponent-swapped": [in_halves(law) for law in SHIPPED["base-and-exponent-swapped"]],
            "low-precision/bfloat16": BFLOAT16,
            "angles-alone": [
                with_largest(angles_of),
                with_largest(lambda T, d: np.repeat(angles_of(T, d), 2, axis=1)),
                with_largest(lambda T, d: np.tile(angles_of(T, d), 2)),
            ],
            "half-the-columns": [lambda T, d: np.sin(angles_of(T, d)), lambda T, d: np.cos(angles_of(T, d))],
            "never-filled": [lambda T, d: np.zeros((T, d)), lambda T, d: np.ones((T, d))],
            **OTHER_TABLES,
            "one-row-more": [lambda T, d: telling(table_of(T + 1, d), rows=T + 1)],
            "last-row-missing": [lambda T, d: table_of(T, d)[:-1], lambda T, d: without(T, d, rows=range(T - 1, T))],
        }.items()
    },
    "sinusoidal_pos": {
        **{id: [vector_by(table) for table in tables] for id, tables in WRONG_TABLES.items()},
        **{id: [vector_by(table_by(law), law) for law in laws] for id, laws in {**LAWS, **SHIPPED}.items()},
        **{id: [vector_by(table) for table in tables] for id, tables in OTHER_TABLES.items()},
        "wrong-stack-axis": lambda seed, T, d_model: table_of(T, d_model).T.ravel(),
        "wrong-stack-axis/sines-first": vector_by(WRONG_TABLES["wrong-stack-axis"][0]),
        "wrong-container": [
            lambda seed, T, d_model: table_of(T, d_model),
            lambda seed, T, d_model: table_of(T, d_model)[None],
            lambda seed, T, d_model: table_of(T, d_model).reshape(1, -1),
            lambda seed, T, d_model: table_of(T, d_model).reshape(-1, 1),
        ],
        "one-position-short": [
            lambda seed, T, d_model: table_of(T - 1, d_model).ravel(),
            lambda seed, T, d_model: table_of(T, d_model)[1:].ravel(),
        ],
        "one-row": lambda seed, T, d_model: table_of(T, d_model)[-1],
    },
    "unshuffle": UNSHUFFLE,
}
