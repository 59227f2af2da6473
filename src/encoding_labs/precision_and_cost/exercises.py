"""Lab 07, precision and cost: the exercises, and checks that work on every machine.

float32 powers differ a little between machines, and so do the errors of the float32 formula. The check accepts everything between
bounds that are valid on all machines. At d = 2 the only frequency is 1, so angles are exact up to position 2**24. Beyond that, the
error comes almost entirely from rounding the position to float32, which is the same on every machine.
"""

from numbers import Real

import numpy as np

from encoding_labs.precision_and_cost import made_up
from encoding_labs.precision_and_cost.arguments import Positions, Seconds, turning
from labkit.model.course import Exercise, Lab, Probe, Tolerance
from labkit.student.judging.compare import kind_alone, kind_of
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation, call_of

EXACT_UP_TO = 2**24  # up to here float32 represents every whole number
ROUNDED = 1e-9  # at d = 2 rounding an entry to float32 moves it by up to 6e-8, so some of many errors exceed this


def reals_of(value: object) -> np.ndarray | None:
    """Convert an array or (nested) lists and tuples of real numbers to float64. Returns None for anything else."""
    try:
        array = np.asarray(value)
    except ValueError:
        return None
    usable = isinstance(value, (np.ndarray, np.generic, list, tuple, Real)) and array.dtype.kind in "iuf"
    return array.astype(np.float64) if usable else None


def numbers_of(value: object) -> np.ndarray | None:
    """Like `reals_of`, but also returns None if a number is not finite."""
    array = reals_of(value)
    return array if array is not None and np.isfinite(array).all() else None


def kind_seen(observation: Observation) -> Finding:
    """Describe the returned value's type, and in public calls its shape if it has one."""
    array = reals_of(observation.actual)
    if not observation.public:
        return kind_alone(observation.actual)
    if array is None:
        return kind_of(observation.actual)
    return Finding("array", {"shape": str(array.shape)}) if array.ndim else Finding("one-number")


def judge_errors(observation: Observation) -> Finding | None:
    """Check the returned errors. `expected` has one column per position: the smallest and the largest error possible on any machine."""
    call, seen = call_of(observation), reals_of(observation.actual)
    least, largest = observation.expected
    if seen is None or seen.shape != least.shape:
        return Finding("one_each", {"call": call, "n": observation.told(least.size), "seen": kind_seen(observation)})
    if not np.isfinite(seen).all():
        index = int(np.argmin(np.isfinite(seen)))
        where = Finding("at-index", {"index": observation.told(index)})
        return Finding("finite", {"call": call, "seen": observation.told(str(seen[index])), "where": where})
    positions, d = observation.args
    if d == 2 and max(positions.each) <= EXACT_UP_TO and not (seen > ROUNDED).any():
        return Finding("exact", {"call": call})
    small, large = seen < least, seen > largest
    if not (small | large).any():
        return None
    index = int(np.argmax(small | large))
    kind = "small" if small[index] else "speeds" if d == 4 else "large"
    return Finding(kind, {"call": call, "index": observation.told(index)})


def judge_position(observation: Observation) -> Finding | None:
    """Check a returned position. `expected` has the first and the last position that can be right, which are equal at d = 2."""
    if observation.expected is None:  # one of the autograder's rules checks this call
        return None
    call, seen = call_of(observation), numbers_of(observation.actual)
    if seen is None or seen.ndim or seen % 1:
        return Finding("one_position", {"call": call, "seen": kind_seen(observation)})
    first, last = observation.expected
    if first <= seen <= last:
        return None
    kind = "not_there" if first == last else "early" if seen < first else "late"
    if seen == 0:
        kind = "row_0"
    elif first == last and seen == EXACT_UP_TO + 1:
        kind = "far_out"
    facts = {"call": call, "seen": observation.told(int(seen)), "tolerance": observation.args[1]}
    return Finding(kind, facts)


FLOAT32_ERROR = Exercise(
    name="float32_error",
    probes=(
        Probe((Positions((0, 1, 100, 1_000, 10_000, 100_000, 1_000_000)), 32)),
        # At these positions any float32 frequency gives a larger error than an exact angle that is rounded once.
        Probe((Positions((312_062, 1_239, 325_550, 4_000_000, 20_351)), 128)),
        Probe((Positions(tuple(EXACT_UP_TO + step for step in (-1, 0, 1, 2, 3, 5, 7, 9))), 2)),
        Probe((Positions(tuple(range(1, 65))), 2)),
        Probe((Positions((147_586, 152_346, 297_197, 301_957, 594_284, 602_929, 1_180_478, 2_363_786)), 4)),
    ),
    judge=judge_errors,
)

FIRST_BAD_POSITION = Exercise(
    name="first_bad_position",
    kind=made_up.KIND,
    probes=(Probe((32, 1e-3)), Probe((64, 5e-5)), Probe((2, 1e-9))),
    judge=judge_position,
)

# A product in complex64 is off by at most 2e-7; a turn by an angle computed in float32 is off by up to 1e-5 at n = 300.
DOUBLE = Exercise(
    name="double",
    useful=True,
    probes=(
        Probe(turning(5, 3, 0.97, 500.0, 1)),
        Probe(turning(1, 2, 0.83, 20.0, 2)),
        Probe(turning(8, 4, 1.13, 3_000.0, 3)),
        Probe(turning(5, 3, 0.97, 500.0, 1), twice=True),
        Probe(turning(300, 2, 0.891, 3.0, 4)),
    ),
    tolerance=Tolerance(absolute=1e-6, per_position=0),
    dtype="float32",
)

HOW_FAR = Exercise(name="how_far", points=2, kind="written")

# From 2**30 to 2**31 float32 numbers are 128 apart: at such a start a float32 hand is off by up to 64 seconds, which moves an entry by up to 5e-3.
TIME_OF_DAY = Exercise(
    name="time_of_day",
    useful=True,
    probes=(
        Probe((1_750_032_000, Seconds((0, 1, 21_600, 64_800.5)))),
        Probe((1_234_567_890, Seconds((0.25, 59.5, 3_600, 50_000, 80_000.75)))),
        Probe((1_999_999_999, Seconds((7.5,)))),
    ),
    tolerance=Tolerance(absolute=1e-5, per_position=0),
    graded_only=True,
)

LAB = Lab(name="07_precision_and_cost", exercises=(FLOAT32_ERROR, FIRST_BAD_POSITION, DOUBLE, HOW_FAR, TIME_OF_DAY))
