"""Decide whether two formulas are equal for all p, a, b and omega, by comparing their values at a random point.

A formula combines symbols, and sines, cosines, tangents and exponentials of angles such as p*omega + a*omega, with sums, products
and powers. Equal formulas agree at every point, up to rounding; different ones almost never do. The cost grows linearly with the
number of nodes.
"""

from __future__ import annotations

import cmath
import math
import random
from collections.abc import Callable, Mapping

from encoding_labs.rotation_proof.formulas import nodes

TURNING = ("p", "a", "b")
CIRCULAR = {"sin": math.sin, "cos": math.cos, "tan": math.tan}
MAX_TURNS = 8
NEAR = 1e-9  # relative; in tests/course right samples are off by at most 3e-16, and wrong ones by at least 7e-7


class NoValue(ValueError):
    """A formula divides by 0, or takes the sine or cosine of something that is not a valid angle."""


class Unknowns:
    """Random values for p, a, b and omega. The seed is the proof itself, so the values are repeatable but hard to predict."""

    def __init__(self, seed: str):
        draw = random.Random(seed).uniform
        self.numbers = {name: draw(0.5, 1.5) for name in (*TURNING, "omega")}

    def value(self, tree: tuple) -> complex:
        """The value of a formula without matrices. Errors: NoValue."""
        name, *parts = tree
        if name in CIRCULAR:
            return CIRCULAR[name](self.turned(**self.turns(tree)))
        if name == "exp":
            return cmath.rect(1, self.turned(**self.turns(tree)))
        return _arithmetic(tree, self.numbers, self.value)

    def turned(self, **turns: int) -> float:
        """Compute an angle, the sum of turns[name] * name * omega."""
        return sum(times * self.numbers[name] for name, times in turns.items()) * self.numbers["omega"]

    def turns(self, wave: tuple) -> dict[str, int]:
        """The coefficients of p*omega, a*omega and b*omega in the angle of a sin, cos, tan or exp(I angle).

        Errors: NoValue if the angle is not a sum of these.
        """
        name, angle = wave
        unit, found = 1j if name == "exp" else 1, {}
        try:
            for turning in TURNING:
                times = _plain(angle, {other: float(other in (turning, "omega")) for other in self.numbers}) / unit
                found[turning] = round(times.real) if abs(times.real) <= MAX_TURNS else 0
            whole = near(self.turned(**found), _plain(angle, self.numbers) / unit)
        except NoValue:  # a point may give a division by 0, as in omega / a
            whole = False
        if not whole:
            raise NoValue("angle")
        return {name: times for name, times in found.items() if times}

    def angles(self, tree: tuple) -> list[dict[str, int]]:
        """The angle of every sine, cosine, tangent and exponential in a formula or matrix; see `turns`."""
        return [self.turns(node) for node in nodes(tree) if node[0] in (*CIRCULAR, "exp")]


def near(one: complex, other: complex) -> bool:
    """Whether two numbers are equal up to rounding. A number that is not finite equals nothing."""
    return cmath.isfinite(one) and cmath.isclose(one, other, rel_tol=NEAR, abs_tol=NEAR)


def _plain(tree: tuple, numbers: Mapping[str, float]) -> complex:
    if tree[0] in (*CIRCULAR, "exp"):
        raise NoValue("angle")
    return _arithmetic(tree, numbers, lambda part: _plain(part, numbers))


def _arithmetic(tree: tuple, numbers: Mapping[str, float], value: Callable[[tuple], complex]) -> complex:
    name, *parts = tree
    match name:
        case "symbol":
            return numbers[parts[0]]
        case "integer":
            return float(parts[0])
        case "rational":
            return parts[0] / parts[1]
        case "i":
            return 1j
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
