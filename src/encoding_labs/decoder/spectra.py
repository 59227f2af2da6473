"""Find the mistakes that explain wrong frequencies, that is, pairs that turn at the wrong speed.

A spectrum is the list of all pairs' frequencies. In the right one, pair k turns by exp(-step * k) radians per position. Nearly
every mistake in the formula multiplies the exponent by m, shifts the pair index, scales the speed, or reverses the order of
the pairs. Combinations of two mistakes are tried too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from encoding_labs.decoder.whole_table import Reading, named

ROUND_BASES = (10.0, 1e3, 2e3, 5e3, 2e4, 5e4, 1e5, 5e5, 1e6, 1e7)  # tried if a base cannot be decoded
WAVELENGTHS = {"missing-minus", "cycles"}  # together these give the wavelength 2 pi / omega, a mistake with its own id


@dataclass(frozen=True)
class Size:
    """The parameters of a spectrum. T is None if the frequencies were given directly, without a table."""

    d: int
    T: int | None
    step: float  # ln(omega_k / omega_{k+1}) in the right table
    kept: tuple[int, ...]  # the pairs with values

    @property
    def log_base(self) -> float:
        return self.step * self.d / 2


@dataclass(frozen=True)
class Law:
    """Mistakes that give omega_k = scale * exp(-step * m * (k + shift)), with `step` as in the right table."""

    mistakes: tuple[str, ...] = ()
    m: float = 1.0
    shift: float = 0.0
    scale: float = 1.0
    reversed: bool = False  # whether k counts down from the last pair
    base: float | None = None  # set only if the base is wrong

    def __and__(self, other: Law) -> Law:
        mistakes = tuple(dict.fromkeys(self.mistakes + other.mistakes))
        m, shift, scale = self.m * other.m, self.shift + other.shift, self.scale * other.scale
        return Law(mistakes, m, shift, scale, self.reversed or other.reversed, self.base or other.base)

    def index(self, size: Size) -> np.ndarray:
        """The index k + shift of each pair that has values."""
        pair = np.array(size.kept, dtype=np.float64)
        return (size.d // 2 - 1 - pair if self.reversed else pair) + self.shift

    def omega(self, size: Size) -> np.ndarray:
        return self.scale * np.exp(-size.step * self.m * self.index(size))


RIGHT = Law()
SHIFTS = (RIGHT, Law(("k-from-one",), shift=0.5), Law(("k-from-one",), shift=1.0))
ORDERS = (RIGHT, Law(("frequencies-reversed",), reversed=True))


@dataclass(frozen=True)
class Speeds:
    """Decoded speeds in radians per position, with an error bound. Wrapped speeds are known only up to full turns."""

    speed: np.ndarray
    error: np.ndarray
    wrapped: bool

    def apart(self, gap: np.ndarray) -> np.ndarray:
        return (gap + np.pi) % (2 * np.pi) - np.pi if self.wrapped else gap

    def near(self, omega: np.ndarray) -> np.ndarray:
        """Whether frequencies match the speeds. For several rows of frequencies, returns one result per row."""
        return (np.abs(self.apart(omega - self.speed)) <= self.error + 2e-6 * np.abs(omega)).all(axis=-1)


def spectra_of(seen: Speeds, size: Size) -> list[Reading]:
    """All known spectra that match these speeds, each with its mistakes and frequencies."""
    laws, omega = known(size)
    found = [Reading(frozenset(laws[i].mistakes), laws[i].base, omega[i]) for i in np.flatnonzero(seen.near(omega))]
    if all(reading.mistakes for reading in found):
        found += _shapes(seen, size)
    return found or list(_free_bases(seen, size))


@lru_cache(maxsize=128)
def known(size: Size) -> tuple[list[Law], np.ndarray]:
    """List all laws with at most two mistakes and no unknown constants. Also returns their frequencies, one row per law."""
    laws = [law for law in _at_most_two(_exponents(size), SHIFTS, _scales(size), ORDERS) if _is_its_own(law, size)]
    with np.errstate(over="ignore"):
        omega = np.array([law.omega(size) for law in laws])
    possible = np.isfinite(omega).all(axis=1) & (omega.max(axis=1) > 1e-12)
    return [laws[i] for i in np.flatnonzero(possible)], omega[possible]


def _at_most_two(*choices: Iterable[Law]) -> list[Law]:
    """Combine one law from each choice, with at most two mistakes in total."""
    laws = [RIGHT]
    for choice in choices:
        laws = [law & each for law in laws for each in choice if len({*law.mistakes, *each.mistakes}) <= 2]
    return laws


def _is_its_own(law: Law, size: Size) -> bool:
    """Whether this law is the simplest and best-named one that gives its numbers."""
    of_one_speed = law.m == 0 and (law.shift or law.reversed)
    minus_and_k_from_one = law.reversed and law.scale == np.exp(size.log_base)
    return not of_one_speed and not minus_and_k_from_one and set(law.mistakes) != WAVELENGTHS


def _exponents(size: Size) -> list[Law]:
    d, T, log_base = size.d, size.T, size.log_base
    over_d, over_T = Law(("exponent-k-over-d",), m=0.5), Law(("divided-by-T",), m=d / T if T else 1.0)
    laws = [RIGHT, over_d, Law(("exponent-4k-over-d",), m=2.0)]
    for name, divisor in (("exponent-d-minus-2", d - 2), ("exponent-d-minus-1", d - 1)):
        if divisor:
            end = Law((name,), m=d / divisor)
            laws += [end, end & over_d, *round_bases(size, end)]
    laws += [over_T, over_T & over_d] if T else []
    no_log = np.exp(log_base) / log_base  # exp(-2k/d * 10000)
    laws += [Law(("lost-log",), m) for m in (1 / log_base, 1 / np.log(10), 1 / np.log(2), no_log)]
    laws += round_bases(size, RIGHT)
    laws += [Law(("missing-minus",), m=-1.0) & law for law in laws]
    return [*laws, Law(("integer-division",), m=0.0)]


def round_bases(size: Size, law: Law) -> list[Law]:
    """Copies of the law, each with one of ROUND_BASES in place of the right base."""
    names, log_base = (*law.mistakes, "wrong-base"), size.log_base
    return [Law(names, law.m * np.log(base) / log_base, base=base) for base in ROUND_BASES]


def _scales(size: Size) -> list[Law]:
    factors = {
        "degrees": [np.pi / 180, 180 / np.pi],
        "cycles": [2 * np.pi, 1 / (2 * np.pi)],
        "exponent-d-minus-1": [np.exp(size.log_base)],  # exponent 2k/d - 1
    }
    if size.T and size.T > 1:
        factors["scaled-position"] = [turn / n for turn in (1.0, 2 * np.pi) for n in (size.T, size.T - 1, size.d)]
    return [RIGHT, *(Law((name,), scale=scale) for name, scales in factors.items() for scale in scales)]


def _shapes(seen: Speeds, size: Size) -> list[Reading]:
    """Recognize mistakes by the shape of the spectrum, such as equal steps, whatever its exact numbers."""
    speed, error, pair, largest = seen.speed, seen.error.max(), np.array(size.kept), np.abs(seen.speed).max()
    steps, positive = seen.apart(np.diff(speed)), (speed > 0).all()
    even = len(steps) > 1 and np.ptp(steps) <= 4 * error + 4e-6 * largest and speed[0] >= 0
    nearly_still = speed[0] == 0 and 0 < largest < 1e-6
    exponents = -np.log(speed) / size.log_base if positive else np.full(1, np.nan)
    without_first = positive and pair[0] > 0 and len(pair) > 1  # k = 0 gives no finite number
    shapes = {
        "arithmetic-frequencies": even and not nearly_still and np.abs(steps).max() > 10 * error,
        "integer-division": np.abs(exponents - np.round(exponents)).max() < 1e-4 and np.abs(exponents).min() < 1e-4,
        "operator-precedence": even and nearly_still or without_first and np.ptp(speed * pair) <= 1e-4 * speed[0],
        "low-precision": _is_rounded(seen, RIGHT.omega(size)),
    }
    powers = (Law(m=size.d, scale=scale).omega(size) for scale in (size.d, 1 / size.d))  # base**(2k) * d, or / d
    found = [named(mistake, speed) for mistake, has_shape in shapes.items() if has_shape]
    return found + [named("operator-precedence", omega) for omega in powers if seen.near(omega)]


def _is_rounded(seen: Speeds, right: np.ndarray) -> bool:
    closer = Speeds(seen.speed, seen.error / 4, seen.wrapped)
    ways = (right.astype(np.float16).astype(np.float64), *(np.round(right, decimals) for decimals in range(2, 7)))
    return any(np.abs(way - right).max() > 1e-7 and closer.near(way) for way in ways)


def _free_bases(seen: Speeds, size: Size) -> Iterator[Reading]:
    """Recognize spectra with any base: compute the base from one pair and check it against the others."""
    end = len(seen.speed) - 1
    for law in _at_most_two([Law(("wrong-base",))], SHIFTS, _scales(size), ORDERS):
        index = law.index(size)
        for one in {end, (end + 1) // 2, min(1, end), 0}:
            if index[one] <= 0 or not 0 < seen.speed[one] < 1e6:
                continue
            step = -np.log(seen.speed[one] / law.scale) / index[one]
            base = np.exp(min(step * size.d / 2, 700))
            if 1.5 < base < 1e15 and seen.near(omega := law.scale * np.exp(-step * index)):
                yield Reading(frozenset(law.mistakes), float(base), omega)
                break
