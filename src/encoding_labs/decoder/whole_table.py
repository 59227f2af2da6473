"""Find mistakes that affect all cells of a table in the same way, such as low precision or a wrong scale."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from encoding_labs.decoder.features import ROWS, coarse, coarse_angles, pairs_of

SOME_SIZES = {"accumulated-angle", "low-precision"}  # mistakes that may be too small to see in a small table


@dataclass(frozen=True)
class Reading:
    """A set of mistakes that explains a table, with the base, frequencies and radius that were read from the table."""

    mistakes: frozenset[str]
    base: float | None = None
    omega: np.ndarray | None = None
    radius: float = 1.0

    @property
    def key(self) -> tuple:
        """The part of a reading that must be the same for two tables of different sizes with the same mistakes."""
        return self.mistakes - SOME_SIZES, None if self.base is None else round(np.log(self.base), 3)


def named(mistake: str, omega: np.ndarray | None = None) -> Reading:
    return Reading(frozenset({mistake}), omega=omega)


def as_a_whole(table: np.ndarray, right: np.ndarray) -> list[Reading]:
    if _precedence(table):
        return [named("operator-precedence")]
    if not np.isfinite(table).all():
        return []
    if (table[1:] == table[:1]).all() and np.ptp(table) > 0:
        return [named("position-over-d")] if np.abs(table[0] - right[0]).max() > 1e-6 else []
    if (np.abs(table) <= 1).all() and (table == np.round(table)).all():
        return [named("integer-table")] if _is_cut(table, right) else []
    largest = np.abs(table - right)[:ROWS].max()
    if largest < 0.06 and (small := _small_error(table, right, largest)):
        return [named(small)]
    scale, offset = np.polyfit(right.ravel(), table.ravel(), 1)
    straight = scale > 0 and np.abs(table - scale * right - offset).max() < 2e-4 * scale
    moved = abs(scale - 1) + abs(offset) > 1e-3
    return [Reading(frozenset({"scaled-values"}), radius=float(scale))] if straight and moved else []


def _is_cut(table: np.ndarray, right: np.ndarray) -> bool:
    """Whether nearly all nonzero cells are those of the right table, truncated or rounded to whole numbers."""
    # An entry of 1 may have been just below 1 before it was rounded to float32.
    short = np.where(np.arange(len(right))[:, None] == 0, right, right * (1 - 1e-8))
    ways = (np.trunc(right), np.trunc(right.astype(np.float32)), np.trunc(short), np.round(right), np.floor(right))
    return any((table == way)[(table != 0) | (way != 0)].mean() > 0.9 for way in ways)


def _small_error(table: np.ndarray, right: np.ndarray, largest: float) -> str | None:
    """Name the mistake in a table that is nearly right."""
    kept = coarse(table)
    if kept and largest < {"float16": 0.06, "1": 0.06, "2": 0.006, "3": 6e-4, "4": 6e-5, "5": 6e-6}[kept]:
        return "low-precision"
    strayed = _strayed(table, right)
    if strayed is not None and coarse_angles(sum(strayed)) - coarse_angles(strayed[0]):
        return "low-precision"
    return "accumulated-angle" if strayed is not None and _accumulated(*strayed) else None


def _precedence(table: np.ndarray) -> bool:
    """Whether the exponent applies to the position too, as in (p / base)**(2k/d), or lacks the d, as in base**(2k) / d."""
    sines, cosines = pairs_of("interleaved", table)
    angles, d = np.arctan2(sines, cosines), table.shape[1]
    if np.abs(angles[:, 0] - 1).max() < 1e-5:  # (p / base)**0
        logs = np.log(angles[1:, 1:])
        return bool(np.abs(np.diff(logs, axis=1) - logs[:, :1]).max() < 1e-3)
    turned = np.exp(1j * angles[1, 0])
    speeds = [speed for speed in (d, 1 / d) if np.abs(turned - np.exp(1j * speed)) < 1e-5]  # base**(2k) / d
    return any(0.99e-8 < angles[1, 1] / speed < 1.01e-8 for speed in speeds)


def _strayed(table: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """The correct angles (T, d/2) of a nearly right table, and how far its own angles are from them."""
    seen, true = (each[:, 1::2] + 1j * each[:, 0::2] for each in (table, right))
    if np.abs(seen.imag**2 + seen.real**2 - 1).max() > 1e-3:
        return None
    return np.arange(len(table))[:, None] * np.angle(true[1]), np.angle(seen * true.conj())


def _accumulated(angles: np.ndarray, strayed: np.ndarray) -> bool:
    """Whether the angles drift like a running sum in float32. The sum is repeated here with the same rounding."""
    omega = angles[1].astype(np.float32)
    steps = (omega, np.nextafter(omega, np.float32(0)), np.nextafter(omega, np.float32(2)))
    sums = (np.cumsum(np.vstack([0 * step, *[step] * (len(angles) - 1)]), axis=0) - angles for step in steps)
    return any(np.abs(strayed - each).max() < 0.25 * np.abs(each).max() for each in sums)
