"""Wrong formulas for `rope`, which turn pairs incorrectly."""

import numpy as np

from autograder.wrong_tables import LAWS
from labkit.authoring.wrong_formulas import telling

from .reference import frequencies, rope, table, turned

# The wrong frequencies of lab 01, without those that are unlikely in code that turns rows.
SHIFT_LAWS = {
    id: laws
    for id, laws in LAWS.items()
    if id not in ("integer-division", "lost-log", "arithmetic-frequencies", "exponent-d-minus-1")
}


def halved(x, angle):
    """Turn column j together with column j + d/2."""
    half = x.shape[1] // 2
    clocks = (x[:, half:] + 1j * x[:, :half]) * np.exp(1j * angle)
    return np.concatenate([clocks.imag, clocks.real], axis=1)


def reflected(x, angle):
    """Give both products with the sine the same sign."""
    even, odd, sine, cosine = x[:, 0::2], x[:, 1::2], np.sin(angle), np.cos(angle)
    return np.stack([even * cosine + odd * sine, odd * cosine + even * sine], axis=-1).reshape(x.shape)


def half_after_half(first):
    """Make a function that overwrites the even (0) or odd (1) columns first, and computes the others from the new values."""

    def turn(x, angle):
        out, sines = x.astype(float), {0: np.sin(angle), 1: -np.sin(angle)}
        for half in (first, 1 - first):
            out[:, half::2] = out[:, half::2] * np.cos(angle) + out[:, 1 - half :: 2] * sines[half]
        return out

    return turn


def turned_alone(pairs):
    """Make a function that turns only the pairs with these numbers."""

    def turn(x, angle):
        kept = np.zeros(x.shape[1] // 2)
        kept[pairs] = 1
        return turned(x, angle * kept)

    return turn


def tiled(x, angle):
    """Turn interleaved pairs, but with sines and cosines in the order needed for a layout in halves."""
    sine, cosine = (np.concatenate([each, each], axis=1) for each in (np.sin(angle), np.cos(angle)))
    return x * cosine + turned(x, np.full(x.shape[1] // 2, np.pi / 2)) * sine


def exchanged(x, angle):
    """Compute the right result, then exchange the two columns of each pair."""
    return turned(x, angle).reshape(len(x), -1, 2)[:, :, ::-1].reshape(x.shape)


def in_halves(x, angle):
    """Compute the right result, then put all even columns before all odd ones."""
    return np.concatenate([turned(x, angle)[:, 0::2], turned(x, angle)[:, 1::2]], axis=1)


def angles_at(x, positions):
    return np.multiply.outer(np.asarray(positions, dtype=float), frequencies(x.shape[1]))


def rows_at(x, positions):
    return table(int(np.max(positions)) + 1, x.shape[1])[positions]


def by(turn=turned, angles=angles_at):
    """Make two formulas that turn rows with `turn`, one for each direction."""
    return [lambda x, positions, way=way: turn(x, way * angles(x, positions)) for way in (1, -1)]


def by_positions(changed):
    return by(angles=lambda x, positions: angles_at(x, changed(np.asarray(positions))))


def by_law(law):
    return by(angles=lambda x, positions: np.multiply.outer(np.asarray(positions, dtype=float), law(x.shape[1])))


def placed(formula):
    """Extend `formula`: it also gives the feedback message the first wrong row and that row's position."""

    def at_its_place(x, positions):
        rows = formula(x, positions)
        right = [rope(x, way * np.asarray(positions)) for way in (1, -1)]
        wrong = (
            [row for row in range(len(x)) if not any(np.allclose(rows[row], each[row], atol=1e-3) for each in right)]
            if rows.shape == x.shape
            else []
        )
        row = wrong[0] if wrong else 0
        return telling(rows, row=row, position=int(positions[row]), partner=x.shape[1] // 2)

    return at_its_place


FORMULAS = {
    **{id: [way for law in laws for way in by_law(law)] for id, laws in SHIFT_LAWS.items()},
    "one-angle": by_law(lambda d: np.ones(d // 2)),
    "turned-twice": by_positions(lambda positions: 2 * positions),
    "positions-ignored": by_positions(lambda positions: np.arange(len(positions))),
    "positions-from-one": by_positions(lambda positions: positions + 1),
    "one-position-for-all": [
        *by_positions(lambda positions: np.full(len(positions), positions[-1])),
        *by_positions(lambda positions: np.full(len(positions), positions[0])),
        *by_positions(lambda positions: np.ones(len(positions))),
    ],
    "not-turned": [lambda x, positions: x.astype(float)],
    "added": [lambda x, positions: x + rows_at(x, positions)],
    "multiplied": [lambda x, positions: x * rows_at(x, positions)],
    "halves-layout": by(halved),
    "angles-tiled": by(tiled),
    "output-in-halves": by(in_halves),
    "columns-exchanged": by(exchanged),
    "reflection": by(reflected),
    "half-overwritten/even": by(half_after_half(0)),
    "half-overwritten/odd": by(half_after_half(1)),
    "sines-missing": [lambda x, positions: x * np.cos(angles_at(x, positions)).repeat(2, axis=1)],
    "partner-missing": by(lambda x, angle: x * (np.cos(angle) + np.sin(angle)).repeat(2, axis=1)),
    "sines-for-cosines": by(angles=lambda x, positions: np.pi / 2 - angles_at(x, positions)),
    "first-pair-alone": by(turned_alone(slice(0, 1))),
    "first-pair-missing": by(turned_alone(slice(1, None))),
    "last-pair-missing": by(turned_alone(slice(0, -1))),
    "scores-for-rows": [
        lambda x, positions: rope(x, positions) @ rope(x, positions).T,
        lambda x, positions: rope(x, positions) @ rope(x, positions).T / np.sqrt(x.shape[1]),
    ],
}

ROPE = {id: [placed(formula) for formula in formulas] for id, formulas in FORMULAS.items()}
