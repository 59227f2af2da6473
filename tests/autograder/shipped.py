"""Mistakes from public programs, as answers to an exercise. `shipped.toml` lists them.

A formula can use NumPy's functions and these names, of which `p`, `k`, `j` and `w` follow from the arguments:

    p, k, j           the positions as a column, the numbers of the pairs, and those of the columns
    w                 the right frequencies
    woven, columns    weave sines and cosines of one angle for each pair, or for each column
    bfloat16, float16 round to 16 bits
    turned, halved    turn neighbouring columns, or columns half a row apart
    repeated          turn columns half a row apart, with the angles for neighbouring ones

`given`, such as "t = 2 * w", defines one more name.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from autograder.look_back.wrong_turns import halved, repeated, turned
from autograder.samples import UNKNOWN, Sample
from autograder.wrong_tables import bfloat16, omega_of, woven


def columns(angles):
    """Sines in the even columns and cosines in the odd ones, with an angle for each column."""
    return np.where(np.arange(angles.shape[1]) % 2, np.cos(angles), np.sin(angles))


def float16(values):
    return np.asarray(values).astype(np.float16)


OUTSIDE = "shipped in "  # the start of the style of each sample from a public program
NAMES = {name: getattr(np, name) for name in ("sin", "cos", "exp", "log", "hstack", "where")}
NAMES |= {each.__name__: each for each in (woven, columns, bfloat16, float16, turned, halved, repeated)}


@dataclass(frozen=True)
class Shipped:
    """One mistake. `where` and `did` are in English; `es` has their translations."""

    where: str
    exercise: str
    mistakes: tuple[str, ...]  # the names that labkit gives it
    formula: str
    threads: tuple[str, ...]
    teaches: str  # the exercise about it
    did: str
    es: Mapping[str, str]
    given: str = ""
    first: int = 0  # the first position in its picture
    cited: tuple[str, ...] = ()  # threads that other threads name
    proposed: bool = False  # was never part of the program
    answer: Callable = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "answer", (_table if self.exercise == "sinusoidal_pe" else _turn)(self))

    def words(self, name: str, language: str) -> str:
        """A text in a language; without a translation, in English."""
        return (self.es if language == "es" else {}).get(name) or getattr(self, name)

    def value(self, positions: np.ndarray, d: int, **arguments: object) -> np.ndarray:
        """The formula's value."""
        p, k = np.asarray(positions, dtype=float)[:, None], np.arange(d // 2)
        names = NAMES | {"p": p, "d": d, "k": k, "j": np.arange(d), "w": omega_of(d), **arguments}
        with np.errstate(all="ignore"):
            if self.given:
                name, _, stated = self.given.partition(" = ")
                names[name] = eval(stated, names)
            return eval(self.formula, names)


def _table(shipped: Shipped) -> Callable:
    odd_too = "odd-d-accepted" in shipped.mistakes

    def sinusoidal_pe(T, d):
        if T < 0 or d <= 0 or d % 2 and not odd_too:
            raise ValueError("no such table")
        return shipped.value(np.arange(T), d).astype(np.float32)

    return sinusoidal_pe


def _turn(shipped: Shipped) -> Callable:
    return lambda x, positions: shipped.value(positions, x.shape[1], x=x)


def read() -> list[Shipped]:
    """Every mistake, in the file's order."""
    stated = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["mistake"]
    lists = ("mistakes", "threads", "cited")
    return [Shipped(**{name: tuple(each) if name in lists else each for name, each in row.items()}) for row in stated]


SHIPPED = read()


def shipped_samples(exercise: str) -> list[Sample]:
    """The mistakes in an exercise, as samples."""
    mine = [each for each in SHIPPED if each.exercise == exercise]
    return [Sample(exercise, OUTSIDE + each.where, each.answer, each.mistakes or (UNKNOWN,)) for each in mine]
