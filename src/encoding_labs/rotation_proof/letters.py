"""Check lab 03's `which_mistakes_survive`: did it return the right set of letters?"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from encoding_labs.rotation_proof import gallery
from labkit.model.course import SymbolicArgument
from labkit.student.judging.compare import kind_alone, kind_of
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation


def judge_letters(observation: Observation) -> Finding | None:
    """Check the set of letters. Feedback says how many tables the answer gets right, but not which."""
    call, letters, right = (
        f"{observation.exercise.name}(…)",
        letters_of(observation.actual),
        expected_letters(observation),
    )
    if letters is None:
        seen = kind_of(observation.actual) if observation.public else kind_alone(observation.actual)
        return Finding("no-letters", {"call": call, "seen": seen})
    given = set(names_of(observation))
    if letters - given:
        seen = observation.told(sorted(map(str, letters - given)))
        typed = letters - given <= set(gallery.MISTAKES)
        tables = observation.told(sorted(map(str, given)))
        return Finding("typed-letters" if typed else "other-letters", {"call": call, "seen": seen, "tables": tables})
    wrong = letters ^ right
    return Finding("letters", {"right": len(given - wrong), "total": len(given)}) if wrong else None


def letters_of(actual: object) -> frozenset | None:
    """The letters in an answer: a set, or a list, tuple or array of letters. Returns None for anything else."""
    if isinstance(actual, np.ndarray) and actual.ndim == 1 and actual.dtype.kind == "U":
        actual = actual.tolist()
    whole = isinstance(actual, (set, frozenset, list, tuple)) and all(isinstance(each, str) for each in actual)
    return frozenset(map(str, actual)) if whole else None


def expected_letters(observation: Observation) -> frozenset:
    """The letters of tables that survive. `expected` has a 1 for each of these and a 0 for the others, in table order."""
    return frozenset(name for name, survives in zip(names_of(observation), observation.expected) if survives)


def names_of(observation: Observation) -> list[str]:
    return [*tables_of(observation)]


def tables_of(observation: Observation) -> Mapping[str, np.ndarray]:
    given = observation.args[0]
    return given.build() if isinstance(given, SymbolicArgument) else given
