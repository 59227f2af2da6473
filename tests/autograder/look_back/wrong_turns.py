"""Wrong formulas for `rope`, which turn pairs incorrectly."""

from itertools import product

import numpy as np

from autograder.attention import frequencies, table
from autograder.wrong_tables import LAWS, bfloat16
from labkit.author.source.wrong_formulas import Telling, telling, within

from .reference import rope, turned

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


def half_left(written, kept):
    """Make a function that writes only the even (0) or odd (1) columns. The others are as they were (1), or 0."""

    def turn(x, angle):
        return np.where(np.arange(x.shape[1]) % 2 == written, turned(x, angle), kept * x)

    return turn


def repeated(x, angle):
    """Turn column j together with column j + d/2, but with the angles in the order needed for interleaved pairs."""
    half = x.shape[1] // 2
    sine, cosine = np.sin(angle).repeat(2, axis=1), np.cos(angle).repeat(2, axis=1)
    return x * cosine + np.concatenate([x[:, half:], -x[:, :half]], axis=1) * sine


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


def by_positions(changed, turn=turned):
    return by(turn, lambda x, positions: angles_at(x, changed(np.asarray(positions))))


def scaled(by):
    """Make two formulas that multiply the positions by `by(T)`. The feedback message gets the position that a row seems to have."""

    def with_fact(formula):
        return lambda x, positions: telling(formula(x, positions), seen=float(positions[-1] * by(len(x))))

    return [with_fact(way) for way in by_positions(lambda positions: positions * by(len(positions)))]


def coarsely(angle_of, round_waves=np.asarray):
    """Make two formulas with rounded angles, `angle_of(positions, frequencies)`, and with rounded sines and cosines."""

    def turn(x, angle):
        wave = round_waves(np.cos(angle)) + 1j * round_waves(np.sin(angle))
        clocks = (x[:, 1::2].astype(float) + 1j * x[:, 0::2]) * wave
        return np.stack([clocks.imag, clocks.real], axis=-1).reshape(x.shape)

    ways = by(turn, lambda x, positions: angle_of(np.asarray(positions)[:, None], frequencies(x.shape[1])))
    return [within(2e-5, way) for way in ways]  # closer than usual, because such an answer is nearly right


ROUNDED_ANGLES = (
    lambda positions, omega: bfloat16(positions * omega),
    lambda positions, omega: bfloat16(bfloat16(positions) * bfloat16(omega)),
)


def law_at(law):
    return lambda x, positions: np.multiply.outer(np.asarray(positions, dtype=float), law(x.shape[1]))


def by_law(law):
    return by(angles=law_at(law))


def placed(formula):
    """Extend `formula`: it also gives the feedback message the first wrong row and that row's position."""

    def at_its_place(x, positions):
        rows, facts = formula(x, positions), {}
        if isinstance(rows, Telling):
            rows, facts = rows.value, rows.facts
        right = [rope(x, way * np.asarray(positions)) for way in (1, -1)]
        wrong = (
            [row for row in range(len(x)) if not any(np.allclose(rows[row], each[row], atol=1e-3) for each in right)]
            if rows.shape == x.shape
            else []
        )
        row = wrong[0] if wrong else 0
        return telling(rows, row=row, position=int(positions[row]), partner=x.shape[1] // 2, **facts)

    return within(formula.close, at_its_place) if hasattr(formula, "close") else at_its_place


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
    "added/in-order": [lambda x, positions: x + table(*x.shape)],
    "multiplied": [lambda x, positions: x * rows_at(x, positions)],
    "halves-layout": by(halved),
    "angles-tiled": by(tiled),
    "output-in-halves": by(in_halves),
    "columns-exchanged": by(exchanged),
    "reflection": by(reflected),
    "half-overwritten/even": by(half_after_half(0)),
    "half-overwritten/odd": by(half_after_half(1)),
    "columns-unwritten": [way for case in product((0, 1), (0, 1)) for way in by(half_left(*case))],
    "angles-repeated": by(repeated),
    "scaled-position": [
        way
        for factor in (
            *(lambda T, n=n: 1 / n for n in (2, 4, 8)),
            lambda T: 1 / T,
            lambda T: 1 / (T - 1),
            lambda T: 2 * np.pi / T,
        )
        for way in scaled(factor)
    ],
    "low-precision": [
        way for angle_of in ROUNDED_ANGLES for waves in (np.asarray, bfloat16) for way in coarsely(angle_of, waves)
    ],
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

# An answer may also have one of these wrong ways to turn together with one of these wrong angles.
TURNS = ("halves-layout", halved), ("reflection", reflected), ("angles-tiled", tiled)
ANGLES = {id: law_at(LAWS[id][0]) for id in ("exponent-k-over-d", "degrees", "k-from-one")}
ANGLES |= {
    "positions-ignored": lambda x, positions: angles_at(x, np.arange(len(positions))),
    "positions-from-one": lambda x, positions: angles_at(x, np.asarray(positions) + 1),
}
FORMULAS |= {f"{turn[0]} {id}": by(turn[1], angles) for turn in TURNS for id, angles in ANGLES.items()}

ROPE = {id: [placed(formula) for formula in formulas] for id, formulas in FORMULAS.items()}
