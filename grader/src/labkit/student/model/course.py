"""Courses, labs and exercises, each defined once in the course's own package.

The check in the notebook, the autograder, the reports and the tests read these definitions. They contain no answers: the
reference is in the autograder, and checks in the notebook compare with data in each lab's folder.

A course is a package with a folder for each lab. The package lists the labs. In a lab's folder, `ENVIRONMENT` lists what its
kernel can import, and `LAB` in the module `exercises` lists its exercises.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from labkit.student.model.errors import UserError
from labkit.student.model.text import in_a_line

if TYPE_CHECKING:
    import numpy as np

Stated = TypeVar("Stated")
PART = "labs.txt"  # in a copy of the course's package with only some labs: their names


def folder_of(lab: str) -> str:
    """The name of a lab's folders, which is the lab's name without its number."""
    return lab[3:]


@dataclass(frozen=True)
class Tolerance:
    """A value is right if |actual - truth| <= absolute + per_position * p + relative * |truth|, where p is the row number."""

    absolute: float = 1e-6
    per_position: float = 5e-7
    relative: float = 0.0


class SymbolicArgument:
    """Stands for an array among a probe's arguments, with a short name for messages.

    Its `repr` is its name in the expected data, and its `str` is the call that a student would write.
    """

    def described(self) -> object:
        """The argument's name in messages: the call that a student would write, or a Finding if the name needs translating."""
        return str(self)

    def build(self) -> object:
        """Build the array, or a dict of arrays by name."""
        raise NotImplementedError


@dataclass(frozen=True)
class Arange(SymbolicArgument):
    """Stands for the array of whole numbers start .. stop - 1."""

    start: int
    stop: int

    def build(self) -> np.ndarray:
        import numpy as np

        return np.arange(self.start, self.stop)

    def __repr__(self) -> str:
        return f"np.arange({self.start}, {self.stop})"


@dataclass(frozen=True)
class Probe:
    """One call to an answer: its arguments, and the error that the answer must raise, if any."""

    args: tuple[object, ...] = ()
    raises: str | None = None
    twice: bool = False  # call again after overwriting the first result: reveals shared memory

    @property
    def key(self) -> str:
        """The probe's name in the expected data and in messages, such as "64, 32"."""
        return ", ".join(map(repr, self.args))

    def inputs(self) -> tuple[object, ...]:
        """The arguments as the answer receives them, with symbolic arguments replaced by arrays."""
        return tuple(arg.build() if isinstance(arg, SymbolicArgument) else arg for arg in self.args)


@dataclass(frozen=True)
class Exercise:
    """One exercise and how it is checked."""

    name: str  # also the name of its cell, and of the function or variable that answers it
    points: int = 0  # for a written answer; a check's points are in its pytest mark
    kind: str = "function"  # function, value, figure, written, or a kind that the course adds
    probes: tuple[Probe, ...] = ()  # the public calls, which the check in the notebook makes
    tolerance: Tolerance = Tolerance()
    dtype: str | None = None  # the required dtype, if any
    # A rule instead of comparing values: takes an Observation, returns a Finding or None. The type is Any, because these types
    # are defined in modules that import this one.
    judge: Callable[[Any], Any] | None = None
    # A display instead of curves and heatmaps: takes an Observation and a language, returns a figure and its description.
    look: Callable[[Any, str], tuple[Any, str]] | None = None
    right: str = "check-right"  # id of the message for an answer that the notebook's check accepts
    useful: bool = False  # not essential, so the cheat sheet opens without it
    extra: bool = False  # its checks have no points, so the cheat sheet opens without it
    graded_only: bool = False  # the notebook has no check for it, and only graders have its expected values

    @property
    def written(self) -> bool:
        return self.kind == "written"

    @property
    def checked(self) -> bool:
        """Whether the notebook has a check for the answer."""
        return not (self.written or self.graded_only)


@dataclass(frozen=True)
class Lab:
    """A numbered lab and its exercises in order."""

    name: str
    exercises: tuple[Exercise, ...] = field(repr=False)


@dataclass(frozen=True)
class Environment:
    """What a lab's kernel can import, in addition to installed packages, labkit and the course's shared modules."""

    packages: tuple[str, ...] = ()  # from the course's source folder
    warm: tuple[str, ...] = ("matplotlib.pyplot", "numpy")  # imported once for all submissions
    labs: tuple[str, ...] = ()  # whose folders in the course's package it can import; by default only the lab's own


@dataclass(frozen=True)
class Course:
    """A package of labs. Reading `names` imports nothing; `labs` imports the exercises, and numpy with them."""

    package: str
    names: tuple[str, ...]  # names of the labs in order: 01_build_the_table

    def module_of(self, lab: str, part: str = "exercises") -> str:
        """The module for one part of a lab, such as its exercises."""
        return f"{self.package}.{folder_of(lab)}.{part}"

    def environment_of(self, lab: str) -> Environment:
        """What the lab's kernel can import. Errors: UserError."""
        module = f"{self.package}.{folder_of(lab)}"
        stated = _stated(module, "ENVIRONMENT", Environment, "what the lab's kernel can import")
        if unknown := [name for name in stated.labs if name not in self.names]:
            raise UserError(f"{module}: ENVIRONMENT names the lab {unknown[0]!r}, which the course does not have")
        return stated if lab in stated.labs else replace(stated, labs=(*stated.labs, lab))

    def expected_of(self, lab: str) -> Path:
        """The file with the expected values of the lab's public calls."""
        return Path(import_module(self.package).__path__[0]) / folder_of(lab) / "expected.json"

    @cached_property
    def labs(self) -> dict[str, Lab]:
        """Every lab by name, in order. Errors: UserError."""
        return {name: _stated(self.module_of(name), "LAB", Lab, "the lab's exercises") for name in self.names}

    @cached_property
    def exercises(self) -> dict[str, Exercise]:
        """Every exercise by name. Names are unique in the course."""
        return {exercise.name: exercise for lab in self.labs.values() for exercise in lab.exercises}

    @cached_property
    def mistakes(self) -> tuple[ModuleType, ...]:
        """Import each lab's `mistakes.py`, which registers its mistakes. A lab may have none."""
        self.labs  # loaded first, because rules of exercises register messages too
        modules = (self.module_of(name, "mistakes") for name in self.names)
        return tuple(import_module(module) for module in modules if find_spec(module))

    @property
    def folders(self) -> list[Path]:
        """The folders with messages and translations: the course's, and each lab's."""
        package = Path(import_module(self.package).__path__[0])
        return [package, *(package / folder_of(name) for name in self.names)]

    def find_lab(self, name: str) -> str | None:
        """The lab with this name or number, or None."""
        return next((lab for lab in self.names if name in (lab, lab[:2], lab[:2].lstrip("0"))), None)

    def lab_named(self, name: str) -> str:
        """The lab with this name or number. Errors: UserError if there is none."""
        if lab := self.find_lab(name):
            return lab
        raise UserError(f"there is no lab {name!r}; the labs are {', '.join(self.names)}")

    def lab_in(self, folder: str) -> Lab:
        """The lab with this folder name. Errors: UserError."""
        for name in self.names:
            if folder_of(name) == folder:
                return self.labs[name]
        raise UserError(f"no lab has a folder named {folder!r}; the labs are {', '.join(self.names)}")

    def lab_of(self, exercise: str) -> str:
        """The name of the lab that has this exercise."""
        return next(name for name, lab in self.labs.items() if any(exercise == each.name for each in lab.exercises))


def _stated(module: str, name: str, kind: type[Stated], what: str) -> Stated:
    """Read a definition of the required type from a module of the course. Errors: UserError, which says what to define."""
    try:
        stated = getattr(import_module(module), name, None)
    except Exception as error:
        missing = error.name if isinstance(error, ModuleNotFoundError) else None
        if missing and f"{module}.".startswith(f"{missing}."):
            raise UserError(f"the module {module} is missing: create it, and define {what} there as {name}") from None
        raise UserError(f"{module}: {in_a_line(error)}") from error
    if stated is None:
        raise UserError(f"{module}: define {what} there as {name}")
    if not isinstance(stated, kind):
        raise UserError(f"{module}: {name} is a {type(stated).__name__}; define {what} there as a {kind.__name__}")
    return stated


_open: dict[str, Course] = {}  # by package; the current course is last


def open_course(package: str, *names: str) -> Course:
    """Register a course. Without a project, as in a notebook's kernel, the course imported last is the current one."""
    paths = (Path(folder, PART) for folder in getattr(sys.modules.get(package), "__path__", ()))
    present = next((path.read_text("utf-8").split() for path in paths if path.is_file()), names)
    _open[package] = Course(package, tuple(name for name in names if name in present))
    return _open[package]


def part_of(package: Path, names: Iterable[str], labs: Collection[str]) -> Iterator[Path]:
    """Yield what a copy of the course's package with only these labs consists of, without its PART file."""
    left_out = {folder_of(name) for name in names if name not in labs}
    yield from (path for path in sorted(package.iterdir()) if path.name not in left_out)


def stated_by(package: str) -> Course:
    """The course that this imported package registered. Errors: UserError if it registered none."""
    if package not in _open:
        raise UserError(
            f"the package {package} defines no course: write COURSE = open_course(__name__, LABS…) in its __init__.py"
        )
    return _open[package]


def work_on(course: Course) -> None:
    """Make this course the current one."""
    _open[course.package] = _open.pop(course.package, course)


def current() -> Course:
    """The current course. Errors: LookupError if no course has been imported."""
    if not _open:
        raise LookupError("no course has been imported: run the lab's setup cell, which imports the lab's own module")
    return next(reversed(_open.values()))
