"""Formulas for known mistakes in lab 02, heatmap, except mistakes in figures: see `encoding_labs.heatmap.mistakes`."""

from itertools import product

import numpy as np

from autograder.wrong_tables import LAWS, WRONG_FREQUENCIES
from labkit.author.source.wrong_formulas import telling

from .reference import full_cycles, read_a_figure, wavelengths

TURN = 2 * np.pi


def counted(lengths, T):
    return (lengths <= T).sum()


def by_law(law):
    """Make an answer that counts pairs with the frequencies `law(d)`."""
    return lambda T, d: counted(TURN / law(d), T)


def turns(T, d):
    """How many times each pair turns within T positions."""
    return T / wavelengths(d)


def first_longer(T, d):
    """The index of the first wavelength above T, or 0 if there is none."""
    return int(np.argmax(wavelengths(d) > T))


def last_index(T, d):
    """The index of the last pair that completes a turn. Raises IndexError if there is none."""
    return np.flatnonzero(wavelengths(d) <= T)[-1]


FULL_CYCLES = {
    **{id: by_law(law) for id, law in WRONG_FREQUENCIES.items()},
    "exponent-d-minus-2": [by_law(law) for id in ("exponent-d-minus-2", "exponent-d-minus-1") for law in LAWS[id][:1]],
    "arithmetic-frequencies": [by_law(law) for law in LAWS["arithmetic-frequencies"]],
    "wrong-base": [by_law(law) for law in LAWS["wrong-base"][1:] + LAWS["lost-log"][1:]],
    "wavelengths-alike": [by_law(law) for id in ("integer-division", "lost-log", "wrong-base") for law in LAWS[id][:1]],
    "half-turns": lambda T, d: counted(wavelengths(d) / 2, T),
    "columns-for-pairs": lambda T, d: 2 * full_cycles(T, d),
    "raw-column-j": lambda T, d: counted(TURN * 10000.0 ** (np.arange(d) / d), T),
    "beyond-the-last-pair": lambda T, d: counted(TURN * 10000.0 ** (2 * np.arange(d) / d), T),
    "turns-added-up": [
        lambda T, d: turns(T, d).sum(),
        lambda T, d: np.floor(turns(T, d).sum()),
        lambda T, d: np.round(turns(T, d).sum()),
        lambda T, d: np.floor(turns(T, d)).sum(),
    ],
    "fastest-pair-alone": [lambda T, d: T / TURN, lambda T, d: T // TURN, lambda T, d: np.round(T / TURN)],
    "slow-pairs-counted": lambda T, d: d // 2 - full_cycles(T, d),
    "all-pairs": lambda T, d: d // 2,
    "part-of-all": lambda T, d: full_cycles(T, d) / (d // 2),
    "last-position-lost": lambda T, d: full_cycles(T - 1, d),
    "index-for-count": last_index,
    "next-pair-counted": [lambda T, d: full_cycles(T, d) + 1, lambda T, d: min(d // 2, full_cycles(T, d) + 1)],
    "nothing-found": first_longer,
}


def turned(turn):
    """Make an answer that applies `turn` to the right table. The mistake's message gets the shapes of both tables."""

    def formula(picture):
        table = read_a_figure(picture)
        wrong = turn(table)
        (rows, columns), (positions, dimensions) = wrong.shape, table.shape
        return telling(wrong, rows=rows, columns=columns, positions=positions, dimensions=dimensions)

    return formula


def recomputed(picture, d=None):
    """Compute a table of the picture's size from the formula. Without `d`, the exponent uses the picture's height."""
    dimensions, T = picture.shape
    column = np.arange(dimensions)
    angles = np.arange(T)[:, None] * 10000.0 ** (-2.0 * (column // 2) / (d or dimensions))
    return np.where(column % 2, np.cos(angles), np.sin(angles))


BOTH_WAYS = [np.s_[::row, ::column] for row in (1, -1) for column in (1, -1)]

READ_A_FIGURE = {
    "axes-swapped": [turned(lambda table, way=way: table.T[way]) for way in BOTH_WAYS],
    "origin-flipped": turned(np.fliplr),
    "rows-reversed": [turned(np.flipud), turned(lambda table: table[::-1, ::-1])],
    "wrong-stack-axis": [  # mirroring both axes first is the same as mirroring both afterwards
        turned(
            lambda table, before=before, after=after, order=order: table.T[before].reshape(table.shape, order=order)[
                after
            ]
        )
        for before, after, order in product(BOTH_WAYS, BOTH_WAYS[:2], "CF")
    ],
    "dimension-lost": [turned(lambda table: table[:, :-1]), turned(lambda table: table[:, 1:])],
    "position-lost": [turned(lambda table: table[:-1]), turned(lambda table: table[1:])],
    "picture-ignored": [recomputed, lambda picture: recomputed(picture, 128)],
    "negated": turned(np.negative),
    "absolute": turned(np.abs),
    "integer-table": [turned(np.trunc), turned(np.round)],
    "scaled-values": [
        turned(lambda table: (table + 1) / 2),
        turned(lambda table: 255 * (table + 1) / 2),
        turned(lambda table: (table - table.min()) / np.ptp(table)),
    ],
}


def part_of_a_turn(wavelength, step):
    """The apparent turn from one line to the next, as a fraction of a turn. Negative if the hand seems to go backwards."""
    turns = step / wavelength
    return turns - round(turns)


SEEN_WAVELENGTH = {
    "aliasing-ignored": lambda wavelength, step: wavelength,
    "at-least-two-lines": lambda wavelength, step: max(wavelength, 2 * step),
    "always-forwards": lambda wavelength, step: step / (step / wavelength % 1),
    "one-turn-assumed": lambda wavelength, step: 1 / abs(1 / wavelength - 1 / step),
    "negative-backwards": lambda wavelength, step: step / part_of_a_turn(wavelength, step),
    "in-lines": [
        lambda wavelength, step: 1 / abs(part_of_a_turn(wavelength, step)),
        lambda wavelength, step: 1 / part_of_a_turn(wavelength, step),
    ],
    "turns-for-positions": [
        lambda wavelength, step: abs(part_of_a_turn(wavelength, step)),
        lambda wavelength, step: abs(part_of_a_turn(wavelength, step)) / step,
    ],
    "move-for-wavelength": lambda wavelength, step: wavelength * abs(part_of_a_turn(wavelength, step)),
    "wavelength-for-step": lambda wavelength, step: wavelength / abs(part_of_a_turn(wavelength, step)),
    "ratio-inverted": lambda wavelength, step: step / abs(part_of_a_turn(step, wavelength)),
    "always-forwards in-lines": lambda wavelength, step: 1 / (step / wavelength % 1),
    "always-forwards turns-for-positions": [
        lambda wavelength, step: step / wavelength % 1,
        lambda wavelength, step: step / wavelength % 1 / step,
    ],
    "always-forwards wavelength-for-step": lambda wavelength, step: wavelength / (step / wavelength % 1),
    "negative-backwards turns-for-positions": [
        part_of_a_turn,
        lambda wavelength, step: part_of_a_turn(wavelength, step) / step,
    ],
    "negative-backwards wavelength-for-step": lambda wavelength, step: wavelength / part_of_a_turn(wavelength, step),
    "remainder": [lambda wavelength, step: step % wavelength, lambda wavelength, step: wavelength % step],
}

WRONG = {"full_cycles": FULL_CYCLES, "read_a_figure": READ_A_FIGURE, "seen_wavelength": SEEN_WAVELENGTH}
