"""Wrong shift matrices of lab 03, rotation proof: their blocks have wrong signs, places or angles, or lack entries."""

from itertools import product

import numpy as np

from autograder.wrong_tables import WRONG_FREQUENCIES, omega_of

from .reference import shift_matrix


def blocks(angles, block=lambda s, c: [[c, s], [-s, c]]):
    """Make a block-diagonal matrix with one 2 x 2 block per angle. `block` gets the angle's sine and cosine."""
    matrix = np.zeros((2 * len(angles),) * 2)
    for i, angle in enumerate(angles):
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = block(np.sin(angle), np.cos(angle))
    return matrix


def made_of(block):
    """Make a formula for a shift matrix with wrong blocks, made by `block`."""
    return lambda offset, d: blocks(offset * omega_of(d), block)


def turned_by(law):
    """Make a formula for a shift matrix with the wrong frequencies `law(d)`."""
    return lambda offset, d: blocks(offset * law(d))


def with_signs(a, b, e, f):
    return made_of(lambda s, c: [[a * c, b * s], [e * s, f * c]])


def for_halves(offset, d, sign=1, law=omega_of):
    """The matrix for a table that has all sines first."""
    s, c = (np.diag(f(sign * offset * law(d))) for f in (np.sin, np.cos))
    return np.block([[c, s], [-s, c]])


def slices(offset, d, way=np.s_[None, :]):
    """Write each value into every other cell of a row or column, although it belongs in only one cell."""
    s, c = np.sin(offset * omega_of(d))[way], np.cos(offset * omega_of(d))[way]
    matrix = np.zeros((d, d))
    matrix[0::2, 0::2] = matrix[1::2, 1::2] = c
    matrix[0::2, 1::2], matrix[1::2, 0::2] = s, -s
    return matrix


def of_columns(offset, d):
    """Use an angle for each column, as if each had its own frequency."""
    angle = offset * 10000.0 ** (-np.arange(d) / d)
    beside = np.where(np.arange(d - 1) % 2, 0, np.sin(angle[:-1]))
    below = np.where(np.arange(d - 1) % 2, 0, np.sin(angle[1:]))
    return np.diag(np.cos(angle)) + np.diag(beside, 1) - np.diag(below, -1)


def entries_powered(offset, d):
    if offset < 0:
        raise ZeroDivisionError("0 has no negative power")
    return shift_matrix(1, d) ** offset


# Wrong frequencies, by the id of the mistake.
FREQUENCIES = {
    **{f"wrong-frequencies/{id}": law for id, law in WRONG_FREQUENCIES.items() if id != "degrees"},
    "wrong-frequencies/reversed": lambda d: omega_of(d)[::-1],
    "one-angle/degrees": WRONG_FREQUENCIES["degrees"],
}


def with_wrong_frequencies():
    """Formulas that have wrong frequencies and turn backwards, mix other columns or lose a sign too."""
    return {
        ids: formula
        for id, law in FREQUENCIES.items()
        for ids, formula in {
            f"rotation-transposed/and {id}": lambda offset, d, law=law: blocks(-offset * law(d)),
            f"halves-blocks {id}": lambda offset, d, law=law: for_halves(offset, d, law=law),
            f"reflection {id}": lambda offset, d, law=law: blocks(offset * law(d), lambda s, c: [[c, s], [s, c]]),
        }.items()
    }


# Formulas (offset, d) -> wrong matrix, by the id of the mistake. They also serve for wrong answers to `shift`.
MATRICES = {
    "reflection": [with_signs(1, b, e, f) for b, e, f in product((1, -1), repeat=3) if (f, b * e) != (1, -1)],
    "halves-blocks": [for_halves, lambda offset, d: for_halves(offset, d, -1)],
    "swapped-sin-cos": [
        made_of(lambda s, c: [[-s, c], [c, s]]),
        made_of(lambda s, c: [[s, c], [-c, s]]),
        made_of(lambda s, c: [[s, c], [c, -s]]),
    ],
    "offset-ignored": [lambda offset, d, always=always: shift_matrix(always, d) for always in (0, 1)],
    "uses-position": [lambda offset, d, p=p: shift_matrix(offset + p, d) for p in (-1, 1, 5)],
    "one-angle": [turned_by(lambda d, pair=pair: np.full(d // 2, omega_of(d)[pair])) for pair in (0, -1)],
    "one-angle/degrees": [turned_by(lambda d: np.deg2rad(omega_of(d))), turned_by(lambda d: np.rad2deg(omega_of(d)))],
    **{f"wrong-frequencies/{id}": [turned_by(law)] for id, law in WRONG_FREQUENCIES.items() if id != "degrees"},
    "wrong-frequencies/reversed": [turned_by(lambda d: omega_of(d)[::-1])],
    "wrong-frequencies/base": [turned_by(lambda d, base=base: omega_of(d, base)) for base in (1e3, 1e5)],
    "wrong-frequencies/first-pair-alone": [turned_by(lambda d: np.eye(d // 2)[0])],
    **{ids: [formula] for ids, formula in with_wrong_frequencies().items()},
    "sign-lost": [lambda offset, d: shift_matrix(abs(offset), d)],
    "sign-lost/unmoved": [lambda offset, d: shift_matrix(max(offset, 0), d)],
    "sines-missing": [made_of(lambda s, c: [[c, 0], [0, c]])],
    "sines-missing/one": [made_of(lambda s, c: [[c, s], [0, c]]), made_of(lambda s, c: [[c, 0], [-s, c]])],
}
IN_PART = [  # blocks in which some entries are as in an array of zeros or in an identity matrix
    made_of(lambda s, c, start=start, block=block: block(s, c, start))
    for start in (0, 1)
    for block in (
        lambda s, c, start: [[c, s], [0, start]],
        lambda s, c, start: [[start, 0], [-s, c]],
        lambda s, c, start: [[start, s], [-s, start]],
        lambda s, c, start: [[c, 0], [0, start]],
    )
]
