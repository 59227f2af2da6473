"""What the recognizers of lab 05's mistakes look at."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from labkit.judging.observation import Observation

TURN = 2 * np.pi


def same(seen, wanted) -> bool:
    return bool(abs(seen - wanted) <= 1e-5 * abs(wanted))


def formula(formulas: dict, values: list[tuple]) -> str | None:
    """The formula that explains every one of these values, none of which is right."""
    if not values or any(same(seen, right) for seen, right, _ in values):
        return None
    return next((name for name, fits in formulas.items() if all(fits(*value) for value in values)), None)


def comparable(observation: Observation) -> bool:
    """Whether there are numbers of the right shape to look at."""
    if observation.expected is None:
        return False
    found = observation.difference
    return found is None or found.id in ("value", "values", "finite")


def longest(observation: Observation) -> Iterator[tuple]:
    """Each longest wavelength that an answer holds: d, base, what was seen, what is right."""
    if not comparable(observation):
        return
    actual, right, args = observation.actual, observation.expected, observation.args
    if observation.exercise.name == "sweep":
        for base, seen, wanted in zip(args[0], actual[:, 0], right[:, 0]):
            yield args[2], base, float(seen), float(wanted)
    else:
        yield *args, float(np.ravel(actual)[-1]), float(np.ravel(right)[-1])
