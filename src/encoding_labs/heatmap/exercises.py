"""The exercises of lab 02, heatmap."""

from dataclasses import dataclass

import numpy as np

from encoding_labs.heatmap.curves import CURVE_RULES
from encoding_labs.heatmap.pictures import HEATMAP_RULES
from encoding_labs.tables import Table
from labkit.model.course import Exercise, Lab, Probe, SymbolicArgument, Tolerance
from labkit.student.calls.figure_rules import follows
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation, call_of, describe

SAME = Tolerance(absolute=1e-6, per_position=0)  # students plot the values unchanged, so this only allows for float32


def judge_count(observation: Observation) -> Finding | None:
    """Check a whole number. Feedback does not say how far off it is, which would give away the answer."""
    found = observation.difference
    if found is None:
        return None
    if found.id != "value" or not observation.public:
        return describe(observation)
    T, d = observation.args
    facts = {"call": call_of(observation), "seen": found.facts["seen"]}
    if observation.actual > d // 2:
        return Finding("more-than-pairs", {**facts, "d": d, "pairs": d // 2})
    return Finding("count", {**facts, "T": T})


@dataclass(frozen=True)
class Scaled(Table):
    """A symbolic argument for a table times a factor, so that no entry is near 1."""

    factor: float = 1.0

    def build(self):
        return super().build() * np.float32(self.factor)

    def __str__(self) -> str:
        return f"{self.factor} * {super().__str__()}"


@dataclass(frozen=True)
class Picture(SymbolicArgument):
    """A symbolic argument: a picture of a table as an array, top row first, with dimension 0 in the bottom row."""

    T: int
    d: int
    shown: int

    def build(self):
        return np.flipud(np.transpose(Table(self.T, self.d).build()[:, : self.shown])).copy()

    def described(self) -> Finding:
        return Finding("picture", {"positions": self.T, "dimensions": self.shown})


# At T = 3 no entry is below -0.42, so automatic limits are wrong. At T = 400 a row is about one pixel high, so interpolation
# "auto" smooths. The scaled table goes from -0.6 to 0.25, so fixing only the lower limit at -1 is wrong, and so is using ± the
# largest entry.
DRAW_HEATMAP = Exercise(
    name="draw_heatmap",
    kind="figure",
    probes=(Probe((Table(400, 32),)), Probe((Table(3, 8),)), Probe((Scaled(3, 8, factor=-0.6),))),
    tolerance=SAME,
    judge=follows(*HEATMAP_RULES),
)

# At (6, 8) the fastest pair needs 6.28 positions. (63, 32) is just above the wavelength 62.8: completing a cycle
# takes all 63 positions, so T - 1 are not enough. At (70000, 16) every pair completes a cycle.
FULL_CYCLES = Exercise(
    name="full_cycles",
    probes=(Probe((64, 32)), Probe((512, 128)), Probe((6, 8)), Probe((63, 32)), Probe((70000, 16))),
    judge=judge_count,
)

DRAW_COLUMNS = Exercise(
    name="draw_columns",
    useful=True,
    kind="figure",
    probes=(Probe((Table(64, 32), (0, 8, 16))), Probe((Table(30, 12), (3, 1)))),
    tolerance=SAME,
    judge=follows(*CURVE_RULES),
)

READ_A_FIGURE = Exercise(
    name="read_a_figure", useful=True, probes=(Probe((Picture(30, 128, 6),)), Probe((Picture(4, 8, 5),)))
)

# Apparent motion in each probe: the true motion, backwards, forwards, backwards after three turns, forwards after four.
SEEN_WAVELENGTH = Exercise(
    name="seen_wavelength",
    useful=True,
    graded_only=True,
    probes=(Probe((20, 3)), Probe((20, 17)), Probe((20, 23)), Probe((10, 27)), Probe((8, 35))),
    tolerance=Tolerance(absolute=0, per_position=0, relative=1e-4),
)

WHAT_THE_PICTURE_HIDES = Exercise(name="what_the_picture_hides", points=1, kind="written")

LAB = Lab(
    name="02_heatmap",
    exercises=(DRAW_HEATMAP, FULL_CYCLES, DRAW_COLUMNS, READ_A_FIGURE, WHAT_THE_PICTURE_HIDES, SEEN_WAVELENGTH),
)
