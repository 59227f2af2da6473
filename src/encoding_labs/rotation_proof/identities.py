"""Are two formulas equal for every p, k, j and omega? Decided exactly, without rounding and without rewriting them.

The symbols stay unknown: a formula is evaluated in the field of integers modulo a prime, where each symbol is a drawn
number and each of the angles p*omega, k*omega and j*omega a drawn point (c, s) of the circle c**2 + s**2 = 1. Equal
formulas always agree there. Formulas that differ agree with a probability below 1e-11 (Schwartz and Zippel's lemma for
polynomials of a degree below 10**6). The cost grows only with the number of nodes, whatever is put into the formula.
"""

from __future__ import annotations

import random
from math import prod

from labkit.calls.formulas import nodes

PRIME = 2**61 - 1  # it leaves 3 when divided by 4, so that 1 + t*t is never 0
TURNING = ("p", "k", "j")
MAX_TURNS = 8


class NoValue(ValueError):
    """A formula that divides by 0, or the sine or cosine of something that is no sum of turns."""


class Unknowns:
    """One draw of the unknowns. Seeded with what is compared, so that it repeats and cannot be foreseen."""

    def __init__(self, seed: str):
        draw = random.Random(seed).randrange
        self.numbers = {name: draw(PRIME) for name in (*TURNING, "omega")}
        self.circle = {name: _point(draw(PRIME)) for name in TURNING}

    def value(self, tree: tuple) -> int:
        """The value of a formula without matrices. Errors: NoValue."""
        name, *parts = tree
        if name in ("sin", "cos"):
            sine, cosine = self.pair(**self.turns(parts[0]))
            return sine if name == "sin" else cosine
        return _arithmetic(tree, self.numbers, self.value)

    def pair(self, **turns: int) -> tuple[int, int]:
        """Sine and cosine of the sum of turns[name] * name * omega."""
        c, s = 1, 0
        for name, times in turns.items():
            x, y = self.circle[name]
            y = y if times >= 0 else -y
            for _ in range(abs(times)):
                c, s = (c * x - s * y) % PRIME, (c * y + s * x) % PRIME
        return s, c

    def turns(self, angle: tuple) -> dict[str, int]:
        """How often p*omega, k*omega and j*omega are in an angle. Errors: NoValue when it is no sum of these."""
        found = {}
        for name in TURNING:
            only = {other: int(other in (name, "omega")) for other in self.numbers}
            times = _plain(angle, only)
            found[name] = times - PRIME if times > PRIME // 2 else times
        whole = sum(times * self.numbers[name] for name, times in found.items()) * self.numbers["omega"]
        if (whole - _plain(angle, self.numbers)) % PRIME or any(abs(times) > MAX_TURNS for times in found.values()):
            raise NoValue("angle")
        return {name: times for name, times in found.items() if times}

    def angles(self, tree: tuple) -> list[dict[str, int]]:
        """The turns in every sine and cosine of a formula or matrix."""
        return [self.turns(node[1]) for node in nodes(tree) if node[0] in ("sin", "cos")]


def _point(t: int) -> tuple[int, int]:
    scale = pow(1 + t * t, -1, PRIME)
    return (1 - t * t) * scale % PRIME, 2 * t * scale % PRIME


def _plain(tree: tuple, numbers: dict[str, int]) -> int:
    if tree[0] in ("sin", "cos"):
        raise NoValue("angle")
    return _arithmetic(tree, numbers, lambda part: _plain(part, numbers))


def _arithmetic(tree: tuple, numbers: dict[str, int], value) -> int:
    name, *parts = tree
    match name:
        case "symbol":
            return numbers[parts[0]]
        case "integer":
            return parts[0] % PRIME
        case "rational":
            return parts[0] * pow(parts[1], -1, PRIME) % PRIME
        case "add":
            return sum(map(value, parts)) % PRIME
        case "mul":
            return prod(map(value, parts)) % PRIME
        case "pow":
            base = value(parts[0])
            if base == 0 and parts[1] < 0:
                raise NoValue("zero")
            return pow(base, parts[1], PRIME)
    raise NoValue(name)
