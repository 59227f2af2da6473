"""Which mistake gives these frequencies? Pairs that turn at the wrong speeds, and what makes them do so.

A spectrum is described against the right one, which is read from the expected values: the right pair k turns by
exp(-step * k). Nearly every mistake in a formula changes three numbers of that: the exponent is multiplied by m, the
pair index is shifted, the speed is scaled; or it turns the order of the pairs around. Two such changes at once are
tried as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np

ROUND_BASES = (10.0, 1e3, 2e3, 5e3, 2e4, 5e4, 1e5, 5e5, 1e6, 1e7)  # where a base cannot be decoded, these are tried
WAVELENGTHS = {"missing-minus", "cycles"}  # 2 pi / omega is a wavelength in a frequency's place, not these two mistakes


@dataclass(frozen=True)
class Spectrum:
    """The mistakes that give these frequencies, in radians per position; `base` where the constant is what is wrong."""

    mistakes: tuple[str, ...]
    omega: np.ndarray
    base: float | None = None


@dataclass(frozen=True)
class Size:
    """What a spectrum depends on: d, T (None where there is none), the right step, and which pairs are there."""

    d: int
    T: int | None
    step: float  # ln(omega_k / omega_{k+1}) of the right table
    kept: tuple[int, ...]  # the pairs that were written

    @property
    def log_base(self) -> float:
        return self.step * self.d / 2


def spectra_of(speed: np.ndarray, error: np.ndarray, size: Size, wrapped: bool) -> list[Spectrum]:
    """Every known spectrum within `error` of the speeds; `wrapped` when speeds are known up to full turns only."""
    names, bases, omega = known(size)
    near = _near(omega, speed, error, wrapped)
    found = [Spectrum(names[i], omega[i], bases[i]) for i in np.flatnonzero(near)]
    if not any(spectrum.mistakes == () for spectrum in found):
        found += _shapes(speed, error, size, wrapped)
    if not found:
        found = _free_bases(speed, error, size, wrapped)
    return found


def _near(omega: np.ndarray, speed: np.ndarray, error: np.ndarray, wrapped: bool) -> np.ndarray:
    gap = omega - speed
    if wrapped:
        gap = (gap + np.pi) % (2 * np.pi) - np.pi
    return (np.abs(gap) <= error + 2e-6 * np.abs(omega)).all(axis=-1)


@lru_cache(maxsize=128)
def known(size: Size) -> tuple[list, list, np.ndarray]:
    """The names, bases and frequencies of all spectra with at most two mistakes that leave no number free."""
    pair, last = np.array(size.kept, dtype=np.float64), size.d // 2 - 1
    names, bases, omega = [], [], []
    choices = product(_exponents(size), _shifts(), _scales(size), ((), ("frequencies-reversed",)))
    for (by_exponent, base, m), (by_shift, shift), (by_scale, scale), by_order in choices:
        mistakes = tuple(dict.fromkeys((*by_exponent, *by_shift, *by_scale, *by_order)))
        if len(mistakes) > 2 or m == 0 and (by_shift or by_order) or set(mistakes) == WAVELENGTHS:
            continue
        if by_order and "exponent-d-minus-1" in by_scale:  # the same numbers as a missing minus with k from one
            continue
        index = last - pair if by_order else pair
        with np.errstate(over="ignore"):
            row = scale * np.exp(-size.step * m * (index + shift))
        if np.isfinite(row).all() and row.max() > 1e-12:
            names.append(mistakes), bases.append(base), omega.append(row)
    return names, bases, np.array(omega)


def _exponents(size: Size) -> list[tuple]:
    """(mistakes, base, m): the exponent is m times the right one."""
    d, T, log_base = size.d, size.T, size.log_base
    found = [((), None, 1.0), (("exponent-k-over-d",), None, 0.5), (("exponent-4k-over-d",), None, 2.0)]
    ends = [(("exponent-d-minus-2",), d / (d - 2))] if d > 2 else []
    for name, m in (*ends, (("exponent-d-minus-1",), d / (d - 1))):
        found += [(name, None, m), ((*name, "exponent-k-over-d"), None, m / 2)]
        found += [((*name, "wrong-base"), base, m * np.log(base) / log_base) for base in ROUND_BASES]
    found += [(("divided-by-T",), None, d / T), (("divided-by-T", "exponent-k-over-d"), None, d / T / 2)] if T else []
    no_log = np.exp(log_base) / log_base  # exp(-2k/d * 10000)
    found += [(("lost-log",), None, m) for m in (1 / log_base, 1 / np.log(10), 1 / np.log(2), no_log)]
    found += [(("wrong-base",), base, np.log(base) / log_base) for base in ROUND_BASES]
    found += [(("missing-minus", *mistakes), base, -m) for mistakes, base, m in found]
    return [*found, (("integer-division",), None, 0.0)]


def _shifts() -> list[tuple]:
    return [((), 0.0), (("k-from-one",), 0.5), (("k-from-one",), 1.0)]


def _scales(size: Size) -> list[tuple]:
    found = [((), 1.0), (("degrees",), np.pi / 180), (("degrees",), 180 / np.pi)]
    found += [
        (("cycles",), 2 * np.pi),
        (("cycles",), 1 / (2 * np.pi)),
        (("exponent-d-minus-1",), np.exp(size.log_base)),
    ]
    if size.T and size.T > 1:
        found += [(("scaled-position",), turn / n) for turn in (1.0, 2 * np.pi) for n in (size.T, size.T - 1, size.d)]
    return found


def _free_bases(speed: np.ndarray, error: np.ndarray, size: Size, wrapped: bool) -> list[Spectrum]:
    """Spectra with a base of any size: it is read from one pair, and the others must agree."""
    pair, last, found = np.array(size.kept, dtype=np.float64), size.d // 2 - 1, []
    for (by_shift, shift), (by_scale, scale), by_order in product(
        _shifts(), _scales(size), ((), ("frequencies-reversed",))
    ):
        mistakes = ("wrong-base", *by_shift, *by_scale, *by_order)
        if len(mistakes) > 2:
            continue
        index = (last - pair if by_order else pair) + shift
        for one in {len(pair) - 1, len(pair) // 2, min(1, len(pair) - 1), 0}:
            if index[one] <= 0 or not 0 < speed[one] < 1e6:
                continue
            step = -np.log(speed[one] / scale) / index[one]
            base = np.exp(min(step * size.d / 2, 700))
            if 1.5 < base < 1e15 and _near(omega := scale * np.exp(-step * index), speed, error, wrapped):
                found.append(Spectrum(mistakes, omega, float(base)))
                break
    return found


def _shapes(speed: np.ndarray, error: np.ndarray, size: Size, wrapped: bool) -> list[Spectrum]:
    """Mistakes that show in the shape of the spectrum, whatever its numbers: they are taken as decoded."""
    found, pair = [], np.array(size.kept, dtype=np.float64)
    steps = np.diff(speed)
    if wrapped:
        steps = (steps + np.pi) % (2 * np.pi) - np.pi
    even = len(steps) > 1 and np.ptp(steps) <= 4 * error.max() + 4e-6 * np.abs(speed).max()
    tiny = 0 < np.abs(speed).max() < 1e-6 and speed[0] == 0
    if even and speed[0] >= 0 and (tiny or np.abs(steps).max() > 10 * error.max()):
        found.append(Spectrum(("operator-precedence" if tiny else "arithmetic-frequencies",), speed))
    if (speed > 0).all():
        exponents = -np.log(speed) / size.log_base
        if np.abs(exponents - np.round(exponents)).max() < 1e-4 and np.abs(exponents).min() < 1e-4:
            found.append(Spectrum(("integer-division",), speed))
        if pair[0] > 0 and len(pair) > 1 and np.ptp(speed * pair) <= 1e-4 * speed[0]:
            found.append(Spectrum(("operator-precedence",), speed))  # 1 / k, and the pair of k = 0 is no number
    right = np.exp(-size.step * pair)
    for coarse in (right.astype(np.float16), *(np.round(right, decimals) for decimals in range(2, 7))):
        if np.abs(coarse - right).max() > 1e-7 and _near(coarse.astype(np.float64), speed, error / 4, wrapped):
            found.append(Spectrum(("low-precision",), speed))
    for scale in (size.d, 1 / size.d):
        omega = scale * np.exp(-size.step * size.d * pair)
        if _near(omega, speed, error, wrapped):
            found.append(Spectrum(("operator-precedence",), omega))
    return found
