"""What is asked: every lab and every exercise, stated once.

The check in the notebook, the autograder, the reports and the mutation tests all read these definitions. They hold no
answers: the reference lives with the autograder, and what the public checks compare with is data beside each lab.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module

# In their order. Reading a name costs nothing; labs() imports the module that is called like it, and with it numpy.
NAMES = ("01_build_the_table", "02_heatmap", "03_rotation_proof", "04_dot_product_decay", "05_base_sweep")


@dataclass(frozen=True)
class Tolerance:
    """|actual - truth| <= absolute + per_position * p, with p the position, which is the row number."""

    absolute: float = 1e-6
    per_position: float = 5e-7
    relative: float = 0.0


@dataclass(frozen=True)
class Table:
    """Stands for the locked module's table of shape (T, d) among a probe's arguments."""

    T: int
    d: int
    base: float = 10000.0

    def build(self):
        from minimodel.positional.sinusoidal import sinusoidal_pe

        return sinusoidal_pe(self.T, self.d, base=self.base)


@dataclass(frozen=True)
class Arange:
    """Stands for the array start .. stop - 1 of whole numbers among a probe's arguments."""

    start: int
    stop: int

    def build(self):
        import numpy as np

        return np.arange(self.start, self.stop)

    def __repr__(self) -> str:
        return f"np.arange({self.start}, {self.stop})"


@dataclass(frozen=True)
class Probe:
    """One call of an answer: its arguments, and the error it has to raise where no value is right."""

    args: tuple = ()
    raises: str | None = None
    twice: bool = False  # overwrite the first result and call again: a cached table handed out twice shows

    @property
    def key(self) -> str:
        """The probe's name in the expected data and in messages, such as "64, 32"."""
        return ", ".join(map(repr, self.args))

    def inputs(self) -> tuple:
        """The arguments as the answer receives them: a Table or an Arange becomes the array."""
        return tuple(arg.build() if isinstance(arg, (Table, Arange)) else arg for arg in self.args)


@dataclass(frozen=True)
class Exercise:
    """One thing that is asked of the student, and how it is judged."""

    name: str  # the exercise, its cell, and the function or variable that answers it
    points: int
    kind: str = "function"  # function, value, figure, proof or written
    probes: tuple[Probe, ...] = ()  # the public calls; the check in the notebook makes these
    tolerance: Tolerance = Tolerance()
    dtype: str | None = None  # the dtype asked for, where one is
    judge: Callable | None = None  # observation -> Finding or None, where comparing values is not enough

    @property
    def written(self) -> bool:
        return self.kind == "written"


@dataclass(frozen=True)
class Lab:
    """A numbered lab and its exercises in their order."""

    name: str
    title: str
    exercises: tuple[Exercise, ...] = field(repr=False)

    def exercise(self, name: str) -> Exercise:
        return next(exercise for exercise in self.exercises if exercise.name == name)

    @property
    def number(self) -> str:
        return self.name[:2]


def module_of(name: str) -> str:
    """Where the lab of this name is stated."""
    return f"encoding_labs.{name[3:]}.exercises"


@cache
def labs() -> dict[str, Lab]:
    """Every lab of the course by name, in order."""
    return {name: import_module(module_of(name)).LAB for name in NAMES}


@cache
def exercises() -> dict[str, Exercise]:
    """Every exercise of the course by name; a name occurs once in the whole course."""
    return {exercise.name: exercise for lab in labs().values() for exercise in lab.exercises}


def lab_of(exercise: Exercise) -> Lab:
    return next(lab for lab in labs().values() if exercise in lab.exercises)
