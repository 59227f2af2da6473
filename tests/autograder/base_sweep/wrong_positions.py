"""Wrong formulas for `decode`, which misread the hands of the clocks."""

import math

import numpy as np

from labkit.author.source.wrong_formulas import within

from .reference import TURN, decode, vernier, wavelengths

ROUNDED = 0.51  # tolerance, because a wrong answer may also be rounded to whole positions


def turned(row):
    return signed(row) % TURN


def signed(row):
    row = row.astype(np.float64)  # in float32 the last digits of an arc tangent differ between machines
    return np.arctan2(row[0::2], row[1::2])


def exchanged(row):
    return np.pi / 2 - signed(row)


def halves(row):
    sines, cosines = np.split(row.astype(np.float64), 2)
    return np.arctan2(sines, cosines)


def quotient(row):
    row = row.astype(np.float64)
    with np.errstate(divide="ignore"):
        return np.arctan(row[0::2] / row[1::2])


def to_half_a_turn(angle):
    return (angle + np.pi) % TURN - np.pi


def lambdas(d):
    return wavelengths(d, 10_000)


def clock(angles=turned, turns=lambdas, whole=round):
    """Make a formula that decodes a position with wrong angles, wavelengths or rounding of whole turns."""
    return within(ROUNDED, lambda row: vernier(angles(row), turns(row.size), whole))


def hands(combine, angles=turned):
    """Make a formula that combines the positions that each hand alone gives, ordered from the fastest to the slowest."""
    return within(ROUNDED, lambda row: combine(angles(row) / TURN * lambdas(row.size)))


def from_hands(some):
    """Make a formula that decodes a position from the hands in `some` only, in that order."""
    return within(ROUNDED, lambda row: vernier(turned(row)[some], lambdas(row.size)[some]))


def turns_of_the_position(readings):
    """Combine the hands, but always round down when counting whole turns, instead of rounding to the nearest."""
    position, turns = readings[-1], lambdas(2 * readings.size)
    for reading, turn in zip(readings[-2::-1], turns[-2::-1]):
        position = reading + turn * (position // turn)
    return float(position)


def slowest_then_from_the_fastest(row):
    """Start with the slowest hand, but then go on with the fastest."""
    order = [*range(row.size // 2 - 2, -1, -1), row.size // 2 - 1]
    return vernier(turned(row)[order], lambdas(row.size)[order])


DECODE = {
    "fast-hand-alone": [hands(lambda readings: readings[0]), hands(lambda readings: readings[0], signed)],
    "slow-hand-alone": [hands(lambda readings: readings[-1]), hands(lambda readings: readings[-1], signed)],
    "hands-left-out": [
        from_hands(np.s_[-2:]),
        from_hands([0, -1]),
        within(0.02, lambda row: vernier(turned(row)[1:], lambdas(row.size)[1:])),  # at large d almost right
    ],
    "hands-averaged": [hands(np.mean), hands(np.median), hands(np.sum)],
    "fast-to-slow": [from_hands(np.s_[::-1]), within(ROUNDED, slowest_then_from_the_fastest)],
    "not-combined": [hands(np.array), hands(np.array, signed)],
    "half-turn-lost": clock(signed),
    "arctan2-exchanged": [clock(lambda row: exchanged(row) % TURN), clock(lambda row: to_half_a_turn(exchanged(row)))],
    "halves-layout": [clock(lambda row: halves(row) % TURN), clock(halves)],
    "one-function-alone": [
        clock(lambda row: np.arcsin(row[0::2].astype(np.float64)) % TURN),
        clock(lambda row: np.arcsin(row[0::2].astype(np.float64))),
        clock(lambda row: np.arccos(row[1::2].astype(np.float64))),
    ],
    "arctan-of-the-quotient": [clock(quotient), clock(lambda row: quotient(row) % TURN), clock(lambda row: quotient(row) % np.pi)],
    "exponent-k-over-d": clock(turns=lambda d: TURN * 10000.0 ** (np.arange(d // 2) / d)),
    "exponent-4k-over-d": clock(turns=lambda d: TURN * 10000.0 ** (4.0 * np.arange(d // 2) / d)),
    "k-from-one": clock(turns=lambda d: TURN * 10000.0 ** (2.0 * np.arange(1, d // 2 + 1) / d)),
    "turn-lost": clock(turns=lambda d: lambdas(d) / TURN),
    "turn-counted-twice": clock(lambda row: TURN * turned(row)),
    "degrees": [
        within(TURN + ROUNDED, lambda row: vernier(np.degrees(turned(row)), lambdas(row.size))),  # float32 may miss a turn
        within(TURN + ROUNDED, lambda row: vernier(np.degrees(signed(row)), lambdas(row.size))),
        clock(lambda row: turned(row) * TURN / 360),
    ],
    "cut-off/turns": [clock(whole=math.floor), clock(whole=int), hands(turns_of_the_position)],
    "positions-from-one": within(ROUNDED, lambda row: decode(row) + 1),
}  # fmt: skip
