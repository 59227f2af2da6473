"""What recognizers of lab 03 look at: a shift as a matrix beside the right one, and the angles by which it turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from labkit.judging.observation import Observation, Raised
from labkit.model.course import SymbolicArgument

NEAR = 1e-3  # a fit from float32 rows is this good at least; every mistake is off by more
HUGE = 1e6  # no mistake of this catalogue gives such numbers, and their products may overflow


@dataclass(frozen=True)
class Shift:
    """One wrong or right shift as a matrix, beside the matrix that is right."""

    offset: int
    d: int
    matrix: np.ndarray
    right: np.ndarray

    @property
    def angles(self) -> np.ndarray | None:
        """The angle by which each pair is turned, in radians; None when the matrix is no rotation of the pairs."""
        even = np.arange(0, self.d, 2)
        cosine, sine = self.matrix[even, even], self.matrix[even, even + 1]
        turned = np.zeros_like(self.matrix)
        turned[even, even] = turned[even + 1, even + 1] = cosine
        turned[even, even + 1], turned[even + 1, even] = sine, -sine
        whole = near(self.matrix, turned) and near(np.hypot(sine, cosine), np.ones(self.d // 2))
        return np.arctan2(sine, cosine) if whole else None


def near(a: np.ndarray, b: np.ndarray) -> bool:
    return a.shape == b.shape and bool(np.abs(a - b).max(initial=0) < NEAR)


def arrays(observations: Sequence[Observation]) -> Iterator[tuple[Observation, np.ndarray]]:
    """The observations that returned finite numbers in the right shape, with these in float64."""
    for each in observations:
        if not isinstance(each.actual, Raised) and each.expected is not None:
            found = each.difference
            if found is None or found.id in ("values", "dtype") and np.asarray(each.actual).dtype.kind in "biuf":
                values = np.asarray(each.actual, dtype=np.float64)
                if np.abs(values).max(initial=0) < HUGE:
                    yield each, values


def given_table(seen: Observation) -> np.ndarray | None:
    """The table that is to be shifted, in float64; None where a matrix is asked for."""
    given = seen.args[0].build() if isinstance(seen.args[0], SymbolicArgument) else seen.args[0]
    return given.astype(np.float64) if isinstance(given, np.ndarray) else None


def moved_tables(observations: Sequence[Observation]) -> list[tuple[np.ndarray, int, np.ndarray]]:
    """The table, the offset and the result of every shift of a table by something other than 0."""
    return [(given_table(each), each.args[1], actual) for each, actual in arrays(observations) if each.args[1]]


def shifts(observations: Sequence[Observation]) -> list[Shift]:
    """Every observation as a Shift; a shifted table counts where one map of each pair explains all its rows."""
    found = []
    for each, actual in arrays(observations):
        if (table := given_table(each)) is not None:
            offset = each.args[1]
            matrix, right = pair_maps(table, actual), pair_maps(table, each.expected)
            if near(table @ matrix.T, actual):
                found.append(Shift(offset, table.shape[1], matrix, right))
        else:
            found.append(Shift(*each.args, actual, each.expected))
    return found


def pair_maps(table: np.ndarray, shifted: np.ndarray) -> np.ndarray:
    """The block-diagonal matrix that takes each pair of `table` closest to that of `shifted`."""
    matrix = np.zeros((table.shape[1],) * 2)
    for start in range(0, table.shape[1], 2):
        pair = slice(start, start + 2)
        matrix[pair, pair] = np.linalg.lstsq(table[:, pair], shifted[:, pair], rcond=None)[0].T
    return matrix


def moving(observations: Sequence[Observation]) -> list[Shift]:
    """The shifts by something other than 0."""
    return [shift for shift in shifts(observations) if shift.offset]


def exchanged(columns: np.ndarray) -> np.ndarray:
    """The array with the two columns of every pair exchanged."""
    return columns.reshape(len(columns), -1, 2)[..., ::-1].reshape(columns.shape)


def phases(table: np.ndarray) -> np.ndarray:
    """The pair 0 of every row as a complex number whose angle is the angle of the clock."""
    return table[:, 1].astype(np.float64) + 1j * table[:, 0]
