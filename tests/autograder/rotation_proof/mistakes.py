"""Formulas for the known mistakes in lab 03, rotation proof. Each returns the values that a mistake leads to."""

import numpy as np

from autograder.wrong_tables import omega_of
from labkit.author.source.wrong_formulas import telling, within

from .reference import (
    errors,
    hands,
    next_row,
    residual,
    rms,
    rotations,
    row_of,
    shift,
    shift_matrix,
    table,
    which_mistakes_survive,
)
from .wrong_matrices import IN_PART, MATRICES, blocks, entries_powered, for_halves, of_columns, slices

WHOLE = (np.trunc, np.round, lambda values: np.trunc(np.float32(values)))  # float32 rounds a number just below 1 to 1


def backwards(value, offset):
    return telling(value, lands=5 - offset, wanted=5 + offset)


def of_rows(matrix):
    return lambda pe, offset: pe.astype(np.float64) @ matrix(offset, pe.shape[1]).T


def halves(pe):
    return pe[:, 0::2].astype(np.float64), pe[:, 1::2].astype(np.float64)


def joined(sines, cosines):
    return np.stack([sines, cosines], axis=-1).reshape(len(sines), -1)


def by_position(pe, offset):
    """Turn row p by the angle of position p + offset."""
    return np.array([row @ shift_matrix(p + offset, pe.shape[1]).T for p, row in enumerate(pe.astype(np.float64))])


def half_overwritten(pe, offset, first):
    """Overwrite half of the columns before the other half is computed from them."""
    s, c = np.sin(offset * omega_of(pe.shape[1])), np.cos(offset * omega_of(pe.shape[1]))
    sines, cosines = halves(pe)
    if first == 0:
        sines = sines * c + cosines * s
        return joined(sines, cosines * c - sines * s)
    cosines = cosines * c - sines * s
    return joined(sines * c + cosines * s, cosines)


def from_angle(pe, offset, angle_of):
    """Turn each pair's angle and rebuild the pair with length 1, whatever its length was."""
    angle = angle_of(*halves(pe)) + offset * omega_of(pe.shape[1])
    return joined(np.sin(angle), np.cos(angle))


def ahead(pe, offset):
    """Return the table's rows from row `offset` on. A negative offset raises an error, as it does in some students' code."""
    if offset < 0:
        raise ValueError("no rows further on")
    return pe[offset:].astype(np.float64)


def filled(pe, offset, fill):
    left = ahead(pe, offset)
    return np.concatenate([left, np.broadcast_to(fill(left), (offset, pe.shape[1]))])


def sides(T, d, offset, columns=np.s_[0::2]):
    """Some columns of the table at positions 0 .. T-1, and the same columns `offset` positions later."""
    part = table(T + offset, d)[:, columns]
    return part[:T], part[offset:]


def measured(measure):
    return lambda T, d, offset: measure(residual(*sides(T, d, offset)))


def with_matrix(there_of):
    """Make a formula for the error of `there_of(here, there, angles)`, which estimates the later sines in a wrong way."""

    def left_over(T, d, offset):
        here, there = sides(T, d, offset)
        return rms(there - there_of(here, there, offset * omega_of(d)))

    return left_over


def surviving(measure, below=1e-4):
    """Make a formula that returns the letters of the tables for which `measure(table)` is small."""
    return lambda tables: {letter for letter, wrong in tables.items() if measure(wrong.astype(np.float64)) < below}


def off(here, there, offset=3, matrix=shift_matrix):
    return np.abs(here @ matrix(offset, here.shape[1]).T - there).max()


def right_letters(tables):
    return [letter for letter, survives in zip(tables, which_mistakes_survive(tables)) if survives]


def turned_on(turn):
    """Make a formula that multiplies the hands of the second row by a wrong number, which `turn` computes from both rows."""
    return lambda before, here: row_of(hands(here) * turn(hands(before), hands(here)))


def by_angles(angle_of):
    """Make a formula that continues the angles of two rows correctly, but reads them with the wrong function `angle_of`."""

    def following(before, here):
        was, now = (angle_of(row[0::2], row[1::2]) for row in (before, here))
        return row_of(np.exp(1j * (2 * now - was)))

    return following


def row_before(before, here):
    """Divide the wrong way round, which gives row p - 1."""
    return row_of(hands(before) ** 2 / hands(here))


def of_halves(before, here):
    """Treat columns that are half a row apart as the two columns of a pair."""
    was, now = (np.array_split(row, 2) for row in (before, here))
    was, now = was[1] + 1j * was[0], now[1] + 1j * now[0]
    then = now * now / was
    return np.concatenate([then.imag, then.real])


NEXT_ROW = {
    "straight-line": lambda before, here: 2 * here - before,
    "wrong-frequencies": turned_on(lambda was, now: np.exp(1j * omega_of(2 * len(now)))),
    "offset-ignored": [lambda before, here: here, lambda before, here: row_of(hands(here) / hands(before))],
    "rotation-transposed": lambda before, here: before,
    "rotation-transposed/back": row_before,
    "division-forgotten": [turned_on(lambda was, now: now), turned_on(lambda was, now: was)],
    "half-turn-lost": turned_on(lambda was, now: np.exp(1j * (np.angle(now / was) % np.pi))),
    "half-unwritten": [
        lambda before, here, half=half, kept=kept: np.where(
            np.arange(here.size) % 2 == half, next_row(before, here), kept * here
        )
        for half in (0, 1)
        for kept in (0, 1)
    ],
    "integer-table": [lambda before, here, way=way: way(next_row(before, here)) for way in WHOLE],
    "turned-twice": turned_on(lambda was, now: (now / was) ** 2),
    "one-angle": turned_on(lambda was, now: (now / was)[0]),
    "halves-blocks": of_halves,
    "entries-divided": lambda before, here: here * here / before,
    "reflection": lambda before, here: row_of(np.conj(hands(next_row(before, here)))),
    "swapped-sin-cos": lambda before, here: next_row(before, here).reshape(-1, 2)[:, ::-1].ravel(),
    "one-function-alone": [by_angles(lambda s, c: np.arcsin(s)), by_angles(lambda s, c: np.arccos(c))],
    "arctan-of-the-quotient": by_angles(lambda s, c: np.arctan(s / c)),
    "fitted-rotation": lambda before, here: here * (before @ here) / (before @ before),
    "columns-apart": lambda before, here: next_row(before, here).reshape(-1, 2).T.ravel(),
    "pairs-apart": [
        lambda before, here: next_row(before, here).reshape(-1, 2),
        lambda before, here: next_row(before, here).reshape(-1, 2).T,
    ],
}


def everywhere(M):
    """Compute s and t for all blocks, not only those on the diagonal."""
    kept = np.zeros(M.shape)
    kept[0::2, 0::2] = kept[1::2, 1::2] = M[0::2, 0::2] + M[1::2, 1::2]
    kept[0::2, 1::2] = M[0::2, 1::2] - M[1::2, 0::2]
    kept[1::2, 0::2] = -kept[0::2, 1::2]
    return kept


def of_length_1(a, b, c, d):
    length = np.hypot(a + d, b - c)
    return (a + d) / length, (b - c) / length, (c - b) / length, (a + d) / length


def in_halves(M):
    """Take rows and columns that are d/2 apart for a pair."""
    order = np.arange(len(M)).reshape(2, -1).T.ravel()
    kept = np.zeros(M.shape)
    kept[np.ix_(order, order)] = rotations(M[np.ix_(order, order)])
    return kept


def blockwise(block):
    return lambda M: rotations(M, block)


WRONG_BLOCKS = {
    "blocks-kept": [lambda a, b, c, d: (a, b, c, d)],
    "halved": [lambda a, b, c, d: ((a + d) / 2, (b - c) / 2, (c - b) / 2, (a + d) / 2)],
    "length-lost": [of_length_1],
    "sines-missing": [lambda a, b, c, d: (a + d, 0, 0, a + d)],
    "rotation-transposed": [lambda a, b, c, d: (a + d, c - b, b - c, a + d)],
    "reflection": [
        lambda a, b, c, d: (a - d, b + c, b + c, d - a),
        lambda a, b, c, d: (a + d, b - c, b - c, a + d),
        lambda a, b, c, d: (a + d, b + c, -b - c, a + d),
        lambda a, b, c, d: (a - d, b - c, c - b, a - d),
        lambda a, b, c, d: (a - d, b + c, -b - c, a - d),
    ],
    "half-unwritten": [
        lambda a, b, c, d: (a + d, b - c, 0, 0),
        lambda a, b, c, d: (0, 0, c - b, a + d),
        lambda a, b, c, d: (a + d, b - c, c, d),
    ],
}

WRONG = {
    "shift_matrix": {
        **MATRICES,
        "rotation-transposed": lambda offset, d: backwards(shift_matrix(-offset, d), offset),
        "half-unwritten": IN_PART,
        "powered-entries": [entries_powered, lambda offset, d: offset * shift_matrix(1, d)],
        "integer-table": [lambda offset, d, way=way: way(shift_matrix(offset, d)) for way in WHOLE],
        "wrong-frequencies/columns": of_columns,
        "slices-for-cells": [slices, lambda offset, d: slices(offset, d, np.s_[:, None])],
        "zeros": lambda offset, d: np.zeros((d, d)),
        "blocks-alone": lambda offset, d: np.array([blocks([angle]) for angle in offset * omega_of(d)]),
        "one-block": lambda offset, d: blocks([offset]),
        "row-for-matrix": [
            lambda offset, d: table(1, d, first=offset)[0],
            lambda offset, d: table(1, d, first=abs(offset))[0],
        ],
    },
    "shift": {
        **{id: [of_rows(matrix) for matrix in matrices] for id, matrices in MATRICES.items()},
        "rotation-transposed": lambda pe, offset: backwards(shift(pe, -offset), offset),
        "uses-position": [*map(of_rows, MATRICES["uses-position"]), by_position],
        "integer-table": [lambda pe, offset, way=way: way(shift(pe, offset)) for way in WHOLE],
        "circular-roll": [
            lambda pe, offset: np.roll(pe, -offset, axis=0).astype(np.float64),
            lambda pe, offset: np.roll(pe, offset, axis=0).astype(np.float64),
        ],
        "rows-lost": [
            ahead,
            lambda pe, offset: filled(pe, offset, lambda left: 0 * left[-1:]),
            lambda pe, offset: filled(pe, offset, lambda left: left[-1:]),
        ],
        "table-rebuilt": lambda pe, offset: table(*pe.shape, first=offset),
        "length-lost": [
            lambda pe, offset: from_angle(pe, offset, np.arctan2),
            lambda pe, offset: from_angle(pe, offset, lambda sines, cosines: np.arcsin(sines)),
        ],
        "half-overwritten/even": lambda pe, offset: half_overwritten(pe, offset, 0),
        "half-overwritten/odd": lambda pe, offset: half_overwritten(pe, offset, 1),
        "half-unwritten": [
            lambda pe, offset, half=half, before=before: np.where(
                np.arange(pe.shape[1]) % 2 == half, shift(pe, offset), before * pe
            )
            for half in (0, 1)
            for before in (0, 1)
        ],
        "zeros": lambda pe, offset: np.zeros(pe.shape),
        "columns-apart": lambda pe, offset: np.hstack(halves(shift(pe, offset))),
        "pairs-apart": [lambda pe, offset, axis=axis: np.stack(halves(shift(pe, offset)), axis) for axis in (0, 1, 2)],
    },
    "sines_alone": {
        "wrong-measure/largest": measured(lambda rest: np.abs(rest).max()),
        "wrong-measure/square": measured(lambda rest: np.mean(rest**2)),
        "wrong-measure/sum": measured(lambda rest: np.sum(rest**2)),
        "wrong-measure/norm": measured(np.linalg.norm),
        "wrong-measure/absolute": measured(lambda rest: np.mean(np.abs(rest))),
        "wrong-measure/mean": measured(np.mean),
        "wrong-measure/root-first": measured(lambda rest: np.mean(np.sqrt(np.abs(rest)))),
        "wrong-measure/columns": [
            measured(lambda rest, axis=axis: np.sqrt(np.mean(rest**2, axis=axis)).mean()) for axis in (0, 1)
        ],
        "wrong-measure/spread": within(1e-4, measured(np.std)),  # the mean is nearly 0
        "wrong-measure/relative": lambda T, d, offset: (lambda here, there: rms(residual(here, there)) / rms(there))(
            *sides(T, d, offset)
        ),
        "wrong-measure/rows": measured(lambda rest: np.linalg.norm(rest) / np.sqrt(len(rest))),
        "wrong-measure/entries": measured(lambda rest: rms(rest) / np.sqrt(2)),
        "not-reduced": [
            measured(lambda rest: rest),
            measured(lambda rest: rest**2),
            measured(lambda rest: np.sqrt(np.mean(rest**2, axis=0))),
            measured(lambda rest: np.sqrt(np.mean(rest**2, axis=1))),
        ],
        "rows-lost": lambda T, d, offset: rms(residual(*sides(T - offset, d, offset))),
        "cosines-only": lambda T, d, offset: rms(residual(*sides(T, d, offset, np.s_[1::2]))),
        "first-half": lambda T, d, offset: rms(residual(*sides(T, d, offset, np.s_[: d // 2]))),
        "own-sine-only": with_matrix(lambda here, there, turn: here * ((here * there).sum(0) / (here**2).sum(0))),
        "own-sine-only/turned": with_matrix(lambda here, there, turn: here * np.cos(turn)),
        "no-matrix": with_matrix(lambda here, there, turn: here),
        "matrix-transposed": with_matrix(
            lambda here, there, turn: here @ np.linalg.lstsq(here, there, rcond=None)[0].T
        ),
        "nothing-left": lambda T, d, offset: 0.0,
        "offset-ignored": lambda T, d, offset: rms(residual(*sides(T, d, 1))),
        "circular-roll": lambda T, d, offset: (lambda here, _: rms(residual(here, np.roll(here, -offset, axis=0))))(
            *sides(T, d, offset)
        ),
        "backwards": lambda T, d, offset: rms(residual(*sides(T, d, offset)[::-1])),
    },
    "which_mistakes_survive": {
        "any-matrix": surviving(lambda wrong: np.abs(residual(wrong[:-3], wrong[3:])).max(), 1e-3),
        "rotation-transposed": surviving(lambda wrong: off(wrong[:-3], wrong[3:], -3)),
        "halves-blocks": surviving(lambda wrong: off(wrong[:-3], wrong[3:], matrix=for_halves)),
        "few-rows": surviving(lambda wrong: errors(wrong)[0]),
        "few-rows/last": surviving(lambda wrong: errors(wrong)[-1]),
        "few-rows/smallest": surviving(lambda wrong: errors(wrong).min()),
        "few-columns": surviving(lambda wrong: np.abs(shift(wrong[:-3], 3) - wrong[3:])[:, :2].max()),
        "signed-error": [
            surviving(lambda wrong, sign=sign: (sign * (shift(wrong[:-3], 3) - wrong[3:])).max()) for sign in (1, -1)
        ],
        "too-loose": [surviving(lambda wrong: errors(wrong).max(), below) for below in (0.3, 0.4, 0.5, 0.9)],
        "length-required": surviving(
            lambda wrong: max(errors(wrong).max(), np.ptp((wrong**2).sum(1)), abs((wrong[0] ** 2).mean() - 0.5))
        ),
        "none-survive": [
            surviving(lambda wrong: errors(wrong).max(), 0),
            surviving(lambda wrong: off(wrong, np.roll(wrong, -3, axis=0))),
            surviving(lambda wrong: off(wrong, wrong)),
            surviving(lambda wrong: off(wrong[:-1], wrong[1:])),
            surviving(lambda wrong: off(wrong[:-3], table(*wrong.shape)[3:])),
        ],
        "all-survive": lambda tables: set(tables),
        "answer-inverted": lambda tables: set(tables) - set(right_letters(tables)),
        "first-alone": lambda tables: set(right_letters(tables)[:1]),
        "last-alone": lambda tables: set(right_letters(tables)[-1:]),
    },
    "rotations": {
        **{id: [*map(blockwise, blocks)] for id, blocks in WRONG_BLOCKS.items()},
        "as-it-came": lambda M: M,
        "outside-kept": lambda M: M + rotations(M, lambda a, b, c, d: (d, -c, -b, a)),
        "slices-for-cells": everywhere,
        "halves-blocks": in_halves,
    },
    "next_row": NEXT_ROW,
}
