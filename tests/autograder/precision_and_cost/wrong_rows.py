"""Wrong formulas for `double`: wrong rows, angles or columns."""

import numpy as np

from autograder.wrong_tables import WRONG_FREQUENCIES, omega_of
from labkit.author.source.wrong_formulas import telling

from .reference import double, turned


def apart(rows):
    """Put even columns before odd ones."""
    return np.concatenate([rows[:, 0::2], rows[:, 1::2]], axis=1)


def together(rows):
    """Interleave the columns of two halves."""
    return rows.reshape(len(rows), 2, -1).swapaxes(1, 2).reshape(rows.shape)


def exchanged(rows):
    """Exchange the two columns of each pair."""
    return rows.reshape(len(rows), -1, 2)[:, :, ::-1].reshape(rows.shape)


def below(rows, second):
    return np.concatenate([rows, second])


def new_half(angles):
    """Make a formula that appends the rows turned by the wrong angles `angles(rows, omega)`."""
    return lambda rows, omega: below(rows, turned(rows, angles(rows, omega)))


def right_angles(rows, omega):
    return len(rows) * omega


def after(change):
    """Make a formula that computes the right new rows, then changes them."""
    return lambda rows, omega: below(rows, change(turned(rows, right_angles(rows, omega))))


def at_position(shift):
    """Make a formula that turns the new rows by `shift(rows)` positions instead of n."""

    def formula(rows, omega):
        return telling(below(rows, turned(rows, shift(rows) * omega)), seen=shift(rows))

    return formula


def columns_from(even, odd):
    """Combine the even columns of one array with the odd columns of another."""
    return np.stack([even[:, 0::2], odd[:, 1::2]], axis=-1).reshape(even.shape)


def reflected(rows, omega, exchange):
    forward, back = (turned(rows, way * right_angles(rows, omega)) for way in (1, -1))
    return below(rows, columns_from(back, forward) if exchange else columns_from(forward, back))


def half_overwritten(first):
    """Make a formula that overwrites the even (0) or odd (1) columns first, and computes the others from the new values."""

    def formula(rows, omega):
        new = turned(rows, right_angles(rows, omega))
        mixed = columns_from(new, rows) if first == 0 else columns_from(rows, new)
        later = turned(mixed, right_angles(rows, omega))
        return below(rows, columns_from(new, later) if first == 0 else columns_from(later, new))

    return formula


def of_length_1(rows):
    return rows / np.hypot(rows[:, 0::2], rows[:, 1::2]).repeat(2, axis=1)


def own_frequencies(law):
    return new_half(lambda rows, omega: len(rows) * law(rows.shape[1]))


WRONG_ROWS = {
    "new-half-only": lambda rows, omega: turned(rows, right_angles(rows, omega)),
    "first-half-changed": [
        lambda rows, omega: double(rows, omega)[np.arange(-len(rows), len(rows))],
        lambda rows, omega: below(0 * rows, turned(rows, right_angles(rows, omega))),
        lambda rows, omega: np.tile(turned(rows, right_angles(rows, omega)), (2, 1)),
        lambda rows, omega: below(of_length_1(rows), turned(rows, right_angles(rows, omega))),
    ],
    "rotation-transposed": new_half(lambda rows, omega: -len(rows) * omega),
    "other-position": [
        at_position(lambda rows: 0),
        at_position(lambda rows: 1),
        at_position(lambda rows: len(rows) - 1),
        at_position(lambda rows: len(rows) + 1),
        at_position(lambda rows: 2 * len(rows)),
        at_position(lambda rows: len(rows) // 2),
        at_position(lambda rows: rows.shape[1]),
        at_position(lambda rows: rows.shape[1] // 2),
        lambda rows, omega: telling(after(lambda new: new[::-1])(rows, omega), seen=2 * len(rows) - 1),
    ],
    "row-by-its-position": [
        new_half(lambda rows, omega: np.arange(len(rows), 2 * len(rows))[:, None] * omega),
        new_half(lambda rows, omega: np.arange(len(rows))[:, None] * omega),
        new_half(lambda rows, omega: np.arange(1, len(rows) + 1)[:, None] * omega),
    ],
    "degrees": new_half(lambda rows, omega: np.deg2rad(len(rows) * omega)),
    "cycles": new_half(lambda rows, omega: 2 * np.pi * len(rows) * omega),
    "omega-ignored": [own_frequencies(omega_of), *map(own_frequencies, WRONG_FREQUENCIES.values())],
    "one-angle": [
        new_half(lambda rows, omega: len(rows) * np.ones(len(omega))),
        new_half(lambda rows, omega: len(rows) * omega[0]),
        new_half(lambda rows, omega: len(rows) * omega[-1]),
    ],
    "frequencies-reversed": lambda rows, omega: telling(
        new_half(lambda rows, omega: len(rows) * omega[::-1])(rows, omega), last=len(omega) - 1
    ),
    "times-i": new_half(lambda rows, omega: len(rows) * omega - np.pi / 2),
    "no-imaginary-unit": lambda rows, omega: below(rows, rows * np.exp(-right_angles(rows, omega)).repeat(2)),
    "partner-missing": lambda rows, omega: below(rows, rows * np.cos(right_angles(rows, omega)).repeat(2)),
    "reflection": [
        lambda rows, omega: reflected(rows, omega, exchange=False),
        lambda rows, omega: reflected(rows, omega, exchange=True),
    ],
    "half-overwritten": [half_overwritten(0), half_overwritten(1)],
    "column-twice": [
        after(lambda new: new[:, 0::2].repeat(2, axis=1)),
        after(lambda new: new[:, 1::2].repeat(2, axis=1)),
    ],
    "swapped-sin-cos": [after(exchanged), lambda rows, omega: exchanged(double(rows, omega))],
    "halves-layout": [
        lambda rows, omega: below(rows, apart(turned(together(rows), right_angles(rows, omega)))),
        after(apart),
        lambda rows, omega: apart(double(rows, omega)),
    ],
    "new-rows-zero": after(np.zeros_like),
    "one-row-repeated": [
        lambda rows, omega: below(rows, turned(rows[:1], right_angles(rows, omega)).repeat(len(rows), axis=0)),
        lambda rows, omega: below(rows, turned(rows[-1:], omega).repeat(len(rows), axis=0)),
    ],
    "one-row-added": lambda rows, omega: telling(below(rows, turned(rows[-1:], omega)), rows_now=len(rows) + 1),
    "side-by-side": lambda rows, omega: np.concatenate([rows, turned(rows, right_angles(rows, omega))], axis=1),
    "rows-interleaved": lambda rows, omega: np.stack([rows, turned(rows, right_angles(rows, omega))], axis=1).reshape(
        2 * len(rows), -1
    ),
}
