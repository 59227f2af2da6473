"""Wrong formulas for float32_error: wrong measures at d = 2, tables that differ in more than the dtype, or rounding in the wrong place."""

import numpy as np

from autograder.wrong_tables import WRONG_FREQUENCIES, omega_of, woven
from labkit.author.source.wrong_formulas import telling, within

from .reference import table
from .wrong_rows import apart, exchanged

ROUNDING = 1e-6  # tolerance for errors from float32 angles with known frequencies


def signed(positions):
    """By how much each entry at d = 2 changes if the position is rounded to float32: the same on every machine. Shape (n, 2)."""
    return table(positions.astype(np.float32), 2) - table(positions, 2)


def at_d_2(measure):
    """Make a formula with a wrong measure of the differences at d = 2. For other d, where errors depend on the machine, it raises ValueError."""

    def formula(positions, d):
        if d != 2:
            raise ValueError
        off = signed(positions)
        return telling(measure(off, table(positions, d)), n=len(positions))

    return formula


def against_right(rows):
    """Make a formula that compares wrong rows with the right table. The differences are much larger than rounding errors."""

    def formula(positions, d):
        if d not in (2, 4, 32):
            raise ValueError
        errors = np.abs(rows(positions.astype(np.float32).astype(np.float64), d) - table(positions, d)).max(axis=1)
        first = int(np.argmax(errors > 0.01))
        return telling(errors, position=int(positions[first]), seen=errors[first])

    return within(0.1, formula)


def by_law(law):
    return against_right(lambda positions, d: woven(positions[:, None] * law(d)))


def angles_cast(positions, d):
    angles = (positions[:, None] * omega_of(d)).astype(np.float32).astype(np.float64)
    errors = np.abs(woven(angles) - table(positions, d)).max(axis=1)
    return telling(errors, largest=errors.max())


def shared_frequencies(step):
    """Make a formula with the same float32 frequencies in both tables. At d = 4 the slower frequency is `step` float32 numbers away from 0.01."""

    def formula(positions, d):
        if d > 4:
            raise ValueError
        slow = (np.float32([0.01]).view(np.int32) + np.int32(step)).view(np.float32)
        speeds = np.append(np.float32(1), slow)[: d // 2]
        near, far = (positions[:, None].astype(dtype) * speeds.astype(dtype) for dtype in (np.float32, np.float64))
        return np.abs(woven(near.astype(np.float64)) - woven(far)).max(axis=1)

    return within(ROUNDING, formula)


WRONG_ERRORS = {
    "signed-error": [
        at_d_2(lambda off, right: off.max(axis=1)),
        at_d_2(lambda off, right: (-off).max(axis=1)),
        at_d_2(lambda off, right: off.min(axis=1)),
        at_d_2(lambda off, right: np.abs(off.max(axis=1))),
        at_d_2(lambda off, right: np.abs(off.min(axis=1))),
    ],
    "angle-error": lambda positions, d: at_d_2(
        lambda off, right: np.abs(positions.astype(np.float32).astype(np.float64) - positions)
    )(positions, d),
    "relative-error": [
        at_d_2(lambda off, right: np.abs(off / right).max(axis=1)),
        at_d_2(lambda off, right: np.abs(off / (right + off)).max(axis=1)),
        at_d_2(lambda off, right: np.abs(off).max(axis=1) / np.abs(right).max(axis=1)),
    ],
    "one-function": [at_d_2(lambda off, right, column=column: np.abs(off[:, column])) for column in (0, 1)],
    "not-the-largest": [
        at_d_2(lambda off, right: np.abs(off).mean(axis=1)),
        at_d_2(lambda off, right: np.abs(off).sum(axis=1)),
        at_d_2(lambda off, right: np.abs(off).min(axis=1)),
        at_d_2(lambda off, right: (off**2).max(axis=1)),
        at_d_2(lambda off, right: (off**2).mean(axis=1)),
        at_d_2(lambda off, right: np.sqrt((off**2).mean(axis=1))),
        at_d_2(lambda off, right: np.linalg.norm(off, axis=1)),
    ],
    "wrong-axis": [
        at_d_2(lambda off, right: np.abs(off).max(axis=0)),
        at_d_2(lambda off, right: np.abs(off).max(axis=0, keepdims=True)),
        at_d_2(lambda off, right: np.abs(off)),
        at_d_2(lambda off, right: np.abs(off).max(axis=1, keepdims=True)),
    ],
    "wrong-axis/one-number": [
        at_d_2(lambda off, right: np.abs(off).max()),
        at_d_2(lambda off, right: np.abs(off).mean()),
    ],
    "other-frequencies": [
        *(by_law(WRONG_FREQUENCIES[id]) for id in ("exponent-k-over-d", "exponent-4k-over-d", "exponent-d-minus-2")),
        by_law(WRONG_FREQUENCIES["k-from-one"]),
        *(by_law(lambda d, base=base: omega_of(d, base)) for base in (1e3, 1e5)),
    ],
    "other-columns": [
        against_right(lambda positions, d: apart(table(positions, d))),
        against_right(lambda positions, d: exchanged(table(positions, d))),
        against_right(lambda positions, d: apart(exchanged(table(positions, d)))),
    ],
    "angles-cast": within(ROUNDING, angles_cast),
    "frequencies-shared": [shared_frequencies(step) for step in (-1, 0, 1)],
}
