"""Mistakes that are known by their numbers: what each gives for the public calls is stored beside what is right.

So no file that students get has to work out a right answer in order to spoil it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from encoding_labs import COURSE
from labkit.judging.diagnosis import mistake
from labkit.judging.observation import Observation
from labkit.model.course import Probe
from labkit.notebook.expected import expected_of

LEAST = 3  # so many calls have to show a mistake: one number alone can be anything


def known(lab: str, id: str, exercise: str, *stored: str, en: str, es: str, close: float = 1e-3) -> None:
    """A mistake of an exercise, known by its stored numbers, in one of several ways to make it.

    Its words may name the {place} in the array where the answer is first off, what was {seen} there, and {given}, the first
    of the arguments. An answer that is within `close` of the stored numbers in every call makes the mistake.
    """

    @mistake(id, exercise, en=en, es=es)
    def recognise(observations: Sequence[Observation]) -> dict | None:
        numbers = expected_of(COURSE, lab)
        for way in stored or (id,):
            wrong = [numbers.get(f"{exercise}: {way}", {}).get(Probe(seen.args).key) for seen in observations]
            if len(wrong) >= LEAST and all(same(seen.actual, each, close) for seen, each in zip(observations, wrong)):
                return first_wrong(observations, close)
        return None


def same(actual: object, numbers: np.ndarray | None, close: float) -> bool:
    """Whether these are the numbers, of the same shape."""
    if numbers is None or not isinstance(actual, (int, float, np.generic, np.ndarray)):
        return False
    array = np.asarray(actual)
    usable = array.dtype.kind in "iuf" and array.shape == numbers.shape
    return usable and np.allclose(array, numbers, rtol=0, atol=close)


def first_wrong(observations: Sequence[Observation], close: float) -> dict | None:
    """Where an answer is first off: the place in its array, and what stands there; None where it is not."""
    for seen in observations:
        wrong = np.flatnonzero(np.abs(np.ravel(seen.actual) - np.ravel(seen.expected)) > close)
        if wrong.size:
            place = int(wrong[0])
            return {"place": place, "seen": float(np.ravel(seen.actual)[place]), "given": str(seen.args[0])}
    return None
