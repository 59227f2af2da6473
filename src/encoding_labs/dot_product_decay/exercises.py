"""The exercises of lab 04, dot-product decay."""

import math
from numbers import Real

import numpy as np

from encoding_labs.dot_product_decay.tables import Scrambled, Spoiled
from encoding_labs.tables import Table
from labkit.model.course import Arange, Exercise, Lab, Probe, Tolerance
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation, call_of


def judge_landmarks(observation: Observation) -> Finding | None:
    """Check two offsets independently. An offset with the expected value None is skipped."""
    call, pair, right = call_of(observation), pair_of(observation.actual), pair_of(observation.expected)
    if pair is None or not all(isinstance(item, int) for item, wanted in zip(pair, right) if wanted is not None):
        return Finding("two_offsets", {"call": call})
    if None not in right and pair == right[::-1]:
        return Finding("order", {"call": call})
    for which, seen, wanted in zip(("minimum", "crossing"), pair, right):
        if wanted is not None and seen != wanted:
            side = "late" if seen > wanted else "at_0" if which == "crossing" and seen <= 0 else "early"
            return Finding(f"{which}_{side}", {"call": call, "seen": observation.told(seen)})
    return None


def single_number(value: object) -> float | None:
    """Convert a finite real number of any Python or NumPy type to float. Returns None for anything else."""
    if isinstance(value, np.ndarray) and value.ndim == 0 and value.dtype.kind in "iuf":
        value = value[()]
    return float(value) if isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value) else None


def pair_of(value: object) -> tuple[object, object] | None:
    """The two items of a list, tuple or array. Whole numbers become int, and arrays become lists."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        return None
    numbers = map(single_number, value)
    value = [item.tolist() if isinstance(item, np.ndarray) else item for item in value]
    return tuple(item if number is None or number % 1 else int(number) for item, number in zip(value, numbers))


# The locked table is float32 and differs a little between machines; its products are off by up to 2e-6 at (64, 32).
SIMILARITY = Exercise(
    name="similarity",
    probes=(
        Probe((Table(64, 32), 0)),
        Probe((Table(64, 32), 5)),
        Probe((Table(40, 12), 17)),
        Probe((Scrambled(9, 5), 2)),
    ),
    tolerance=Tolerance(absolute=1e-4, per_position=0),
)

# With float32 angles the error is 2e-6 at 64 offsets and d = 32, and 4e-5 at 300 offsets and d = 128.
CLOSED_FORM = Exercise(
    name="closed_form",
    probes=(
        Probe((Arange(0, 64), 32)),
        Probe((Arange(-10, 11), 16)),
        Probe((Arange(0, 1), 6)),
        Probe((Arange(0, 5), 2)),
    ),
    tolerance=Tolerance(absolute=1e-4, per_position=0),
)

# In the Gram matrix of a float32 table, diagonals that should be constant vary by up to 2e-5.
OFFSET_ONLY = Exercise(
    name="offset_only",
    useful=True,
    probes=(
        Probe((Table(64, 32),)),
        Probe((Spoiled(24, 8, 9),)),
        Probe((Scrambled(9, 5),)),
        Probe((Scrambled(5, 12),)),
    ),
    tolerance=Tolerance(absolute=1e-4, per_position=0),
)

LANDMARKS = Exercise(
    name="landmarks", useful=True, probes=(Probe((32,)), Probe((128,)), Probe((512,))), judge=judge_landmarks
)

IS_IT_MONOTONE = Exercise(name="is_it_monotone", points=2, kind="written")

GRID_SIMILARITY = Exercise(
    name="grid_similarity",
    useful=True,
    graded_only=True,
    probes=(
        Probe((3, 8, 32)),
        Probe((-5, 2, 16)),
        Probe((0, 7, 64)),
        Probe((6, -6, 8)),
        Probe((3, -2, 4)),  # both similarities are below 0
    ),
    tolerance=Tolerance(absolute=1e-4, per_position=0),
)

LAB = Lab(
    name="04_dot_product_decay",
    exercises=(SIMILARITY, CLOSED_FORM, OFFSET_ONLY, LANDMARKS, IS_IT_MONOTONE, GRID_SIMILARITY),
)
