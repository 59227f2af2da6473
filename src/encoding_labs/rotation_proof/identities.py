"""Are two formulas equal for every p, k, j and omega? They are compared at a drawn point, without rewriting them.

Formulas are sums, products and powers of the symbols and of sines and cosines of their turns. Two that differ agree at almost
no point, and two that are equal agree up to rounding at each. The cost grows only with the number of nodes.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping

from labkit.calls.formulas import nodes

TURNING = ("p", "k", "j")
MAX_TURNS = 8
NEAR = 1e-9  # relative; of the samples in tests/course, right ones are off by 3e-16 at most, and wrong ones by 7e-7 at least


class NoValue(ValueError):
    """A formula that divides by 0, or the sine or cosine of something that is no sum of turns."""


class Unknowns:
    """One draw of the unknowns. Seeded with what is compared, so that it repeats and cannot be foreseen."""

    def __init__(self, seed: str):
        draw = random.Random(seed).uniform
        self.numbers = {name: draw(0.5, 1.5) for name in (*TURNING, "omega")}

    def value(self, tree: tuple) -> float:
        """The value of a formula without matrices. Errors: NoValue."""
        name, *parts = tree
        if name in ("sin", "cos"):
            return dict(zip(("sin", "cos"), self.pair(**self.turns(parts[0]))))[name]
        return _arithmetic(tree, self.numbers, self.value)

    def pair(self, **turns: int) -> tuple[float, float]:
        """Sine and cosine of the sum of turns[name] * name * omega."""
        angle = self._turned(turns)
        return math.sin(angle), math.cos(angle)

    def turns(self, angle: tuple) -> dict[str, int]:
        """How often p*omega, k*omega and j*omega are in an angle. Errors: NoValue when it is no sum of these."""
        found = {}
        for name in TURNING:
            times = _plain(angle, {other: float(other in (name, "omega")) for other in self.numbers})
            found[name] = round(times) if abs(times) <= MAX_TURNS else 0
        if not near(self._turned(found), _plain(angle, self.numbers)):
            raise NoValue("angle")
        return {name: times for name, times in found.items() if times}

    def angles(self, tree: tuple) -> list[dict[str, int]]:
        """The turns in every sine and cosine of a formula or matrix."""
        return [self.turns(node[1]) for node in nodes(tree) if node[0] in ("sin", "cos")]

    def _turned(self, turns: Mapping[str, int]) -> float:
        return sum(times * self.numbers[name] for name, times in turns.items()) * self.numbers["omega"]


def near(one: float, other: float) -> bool:
    """Equal but for rounding; what is not finite is near nothing."""
    return math.isfinite(one) and math.isclose(one, other, rel_tol=NEAR, abs_tol=NEAR)


def _plain(tree: tuple, numbers: Mapping[str, float]) -> float:
    if tree[0] in ("sin", "cos"):
        raise NoValue("angle")
    return _arithmetic(tree, numbers, lambda part: _plain(part, numbers))


def _arithmetic(tree: tuple, numbers: Mapping[str, float], value: Callable[[tuple], float]) -> float:
    name, *parts = tree
    match name:
        case "symbol":
            return numbers[parts[0]]
        case "integer":
            return float(parts[0])
        case "rational":
            return parts[0] / parts[1]
        case "add":
            return sum(map(value, parts))
        case "mul":
            return math.prod(map(value, parts))
        case "pow":
            try:
                return value(parts[0]) ** parts[1]
            except ZeroDivisionError:
                raise NoValue("zero") from None
            except OverflowError:
                return math.inf
    raise NoValue(name)
