"""Lab 06, order for attention: the exercises, and the check of the four parts of the scores."""

from dataclasses import replace

import numpy as np

from encoding_labs.tables import Table
from encoding_labs.tokens import Words
from labkit.model.course import Exercise, Lab, Probe, SymbolicArgument, Tolerance
from labkit.student.judging.compare import difference
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation, call_of, describe

PARTS = tuple(map(Finding, ("content-content", "content-position", "position-content", "position-position")))


def judge_parts(observation: Observation) -> Finding | None:
    """Check the four parts. All or none may be divided by sqrt(d), because this does not change their proportions."""
    call, right = call_of(observation), np.asarray(observation.expected)
    parts = parts_of(observation.actual)
    if parts is None or parts.shape != right.shape:
        shape = str(right.shape[1:]) if observation.public else "(T, T)"
        return Finding("four", {"call": call, "shape": shape})
    wanted = (right, right * np.sqrt(width_of(observation)))
    tolerance = observation.exercise.tolerance
    if any(difference(parts, each, tolerance) is None for each in wanted):
        return None
    if not np.isfinite(parts).all():
        plain = replace(observation.exercise, judge=None)
        return describe(replace(observation, exercise=plain, actual=parts))
    factor = min(wanted, key=lambda each: np.abs(parts[0].astype(np.float64) - each[0]).max())
    wrong = next(place for place in range(4) if difference(parts[place], factor[place], tolerance))
    for other in range(4):
        if difference(parts[wrong], factor[other], tolerance) is None:
            return Finding("part_twice", {"call": call, "part": PARTS[wrong], "other": PARTS[other]})
    return Finding("part", {"call": call, "part": PARTS[wrong]})


def parts_of(value: object) -> np.ndarray | None:
    """Stack real arrays of equal shape, given as a tuple, a list or one array. Returns None for anything else."""
    if isinstance(value, (list, tuple)) and value and all(isinstance(part, np.ndarray) for part in value):
        value = np.stack(value) if len({part.shape for part in value}) == 1 else None
    usable = isinstance(value, np.ndarray) and value.ndim == 3 and value.dtype.kind in "biuf"
    return value if usable else None


def width_of(observation: Observation) -> int:
    """The number of columns, d, of the first argument."""
    return built(observation.args[0]).shape[1]


def built(arg: object) -> object:
    """Build the value of a symbolic argument. Returns any other argument as it is."""
    return arg.build() if isinstance(arg, SymbolicArgument) else arg


# Float32 answers are off by a few millionths. The smallest mistake, a softmax over the wrong axis, changes an output by 0.04.
CLOSE = Tolerance(absolute=1e-4, per_position=0)

# Word vectors of length 1, whose weights can be read from the output; longer vectors, one word twice; a table with T > d.
ATTENTION = Exercise(
    name="attention",
    probes=(
        Probe((Words("dog bites man", 8),)),
        Probe((Words("the cat sat on the mat", 16, 4),)),
        Probe((Table(12, 6),)),
        Probe((Table(12, 6),), twice=True),
    ),
    tolerance=CLOSE,
)

# No scale is the square root of its d, or the square root or square of another scale.
ADD_POSITIONS = Exercise(
    name="add_positions",
    probes=(
        Probe((Words("dog bites man", 16), 3.0)),
        Probe((Words("one two three four five", 6), 0.5)),
        Probe((Words("one two three four five", 6), 0.5), twice=True),
    ),
    tolerance=CLOSE,
)

SCORE_PARTS = Exercise(
    name="score_parts",
    probes=(
        Probe((Words("the cat sat on the mat", 16, 4), Table(6, 16))),
        Probe((Words("dog bites man", 8, 2), Table(3, 8))),
        Probe((Words("dog bites man", 8, 2), Table(3, 8)), twice=True),
    ),
    tolerance=CLOSE,
    judge=judge_parts,
)

ORDER_FROM_MASK = Exercise(name="order_from_mask", points=2, kind="written")

LAB = Lab(name="06_order_for_attention", exercises=(ATTENTION, ADD_POSITIONS, SCORE_PARTS, ORDER_FROM_MASK))
