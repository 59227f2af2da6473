"""Lab 08, a head that learns to look back: the exercises, and the check of rows that turn in either direction."""

import numpy as np

from encoding_labs.look_back.heads import LearnedHead, Positions
from encoding_labs.tables import Table
from encoding_labs.tokens import Words
from labkit.model.course import Arange, Exercise, Lab, Probe, SymbolicArgument, Tolerance
from labkit.student.judging.compare import difference
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation, describe


def judge_turns(observation: Observation) -> Finding | None:
    """Check that every pair is turned by its angle. In either direction, scores depend only on the offset, so both are accepted."""
    rows, right = as_clocks(built(observation.args[0])), as_clocks(np.asarray(observation.expected))
    length = np.where(rows == 0, 1, np.abs(rows)) ** 2
    mirrored = right.conj() * rows**2 / length  # z exp(-ia), computed from z and z exp(ia)
    other = np.stack([mirrored.imag, mirrored.real], axis=-1).reshape(observation.expected.shape)
    exercise = observation.exercise
    if observation.difference and difference(observation.actual, other, exercise.tolerance, exercise.dtype):
        return describe(observation)
    return None


def as_clocks(rows: np.ndarray) -> np.ndarray:
    """Read each pair as a complex number whose real part is the cosine. Returns shape (T, d/2)."""
    return rows[:, 1::2] + 1j * rows[:, 0::2]


def built(arg: object) -> object:
    """Build the value of a symbolic argument. Returns any other argument as it is."""
    return arg.build() if isinstance(arg, SymbolicArgument) else arg


# Float32 answers are off by a few millionths.
CLOSE = Tolerance(absolute=1e-4, per_position=0)

# The sizes of the lab, then another offset, then rows that are not from a table.
ONE_LOOK = Exercise(
    name="one_look",
    probes=(Probe((Table(32, 32), 3)), Probe((Table(20, 6), 7)), Probe((Words("one two three four five", 8, 2), 1))),
    tolerance=Tolerance(absolute=1e-3, per_position=0),  # for sums in float32
)

# A sharp head as in the lab's figure, then two with weights even enough to reveal the scores, then rows that are not from a table.
LOOK_BACK = Exercise(
    name="look_back",
    probes=(
        Probe((Table(14, 32), 3, 4)),
        Probe((Table(12, 8), 2, 0.5)),
        Probe((Table(13, 6), 5, 1.5)),
        Probe((Words("one two three four five", 8, 2), 2, 1.2)),
        Probe((Table(13, 6), 5, 1.5), twice=True),
    ),
    tolerance=CLOSE,
)

ROPE = Exercise(
    name="rope",
    probes=(
        Probe((Words("dog bites man", 16, 4), Arange(0, 3))),
        Probe((Words("dog bites man", 8, 3), Positions((9, 0, 6)))),
        Probe((Words("dog bites man", 8, 3), Positions((9, 0, 6))), twice=True),
    ),
    tolerance=Tolerance(absolute=5e-4, per_position=0),  # for float32 angles up to position 500
    judge=judge_turns,
    useful=True,
)

# Offsets of both signs. Two of them turn the fastest pair by more than half a turn.
READ_HEAD = Exercise(
    name="read_head",
    probes=(Probe((LearnedHead(7, 32),)), Probe((LearnedHead(11, 16),)), Probe((LearnedHead(9, 24),))),
    graded_only=True,
    useful=True,
)

LEARNED_OR_FIXED = Exercise(name="learned_or_fixed", points=2, kind="written")

LAB = Lab(name="08_look_back", exercises=(ONE_LOOK, LOOK_BACK, LEARNED_OR_FIXED, ROPE, READ_HEAD))
