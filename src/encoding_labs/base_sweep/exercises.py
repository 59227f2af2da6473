"""Lab 05, base sweep: the exercises, and the checks of `sweep` and `draw_sweep`."""

import re

import numpy as np

from encoding_labs.base_sweep.rows import Printed, RowOne
from labkit.model.course import Exercise, Lab, Probe, Tolerance
from labkit.student.calls.axes import Drawing
from labkit.student.calls.figure_rules import absent, is_labelled, rule
from labkit.student.judging.compare import difference
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation, call_of, describe

BASES = (10, 100, 1_000, 10_000, 500_000)
OFFSETS = np.arange(1, 10_001)
CHECKED = np.array(sorted({round(each) for each in np.geomspace(1, 10_000, 160)}))  # where curves are compared
ACCURACY = 3e-6  # relative error of a wavelength in later exercises
# The same for the wavelengths themselves: 3.1416 for π is off by 2.3e-6, the exponential of a float32 number by 1.6e-6.
EXACT = 2e-6
COLUMNS = ("longest", "pairs", "nearest")  # columns of the sweep


def judge_columns(observation: Observation) -> Finding | None:
    """Check sweep column by column. Columns whose expected values are nan are skipped."""
    actual, right, close = observation.actual, np.asarray(observation.expected), observation.exercise.tolerance
    asked = np.flatnonzero(~np.isnan(right).any(axis=0))
    if (
        getattr(actual, "shape", None) != right.shape
        or not isinstance(actual, np.ndarray)
        or actual.dtype.kind not in "biuf"
    ):
        return describe(observation)
    wrong = [column for column in asked if difference(actual[:, column], right[:, column], close)]
    if not wrong:
        return None
    names = [Finding(COLUMNS[column]) for column in wrong]
    if not observation.public:  # which rows and numbers are wrong could reveal the arguments of a hidden call
        return Finding("hidden-columns", {"call": call_of(observation), "columns": names})
    row = int(
        np.argmin(
            [difference(one, other, close) is None for one, other in zip(actual[:, wrong[0]], right[:, wrong[0]])]
        )
    )
    first = Finding("column", {"base": observation.args[0][row], "column": wrong[0], "seen": actual[row, wrong[0]]})
    return Finding("columns", {"call": call_of(observation), "columns": names, "first": first})


def curves(drawing: Drawing, bases: tuple) -> dict:
    """Find the line of each base by its label. Bases without a line, or with several, are left out."""
    found = {base: [] for base in bases}
    for label, line in zip(labels(drawing), drawing.lines):
        for base in numbers_in(label) & found.keys():
            found[base].append(line)
    return {base: lines[0] for base, lines in found.items() if len(lines) == 1}


def labels(drawing: Drawing) -> list[str]:
    """The label of each line, or the legend's entries if no line has a label and there is one entry per line."""
    own = [line.label for line in drawing.lines]
    unlabelled = not any(line.labelled for line in drawing.lines)
    return list(drawing.legend) if unlabelled and len(drawing.legend) == len(own) else own


def numbers_in(label: str) -> set[float]:
    """Read the numbers in a label: 10000, 10,000, 10.000, 10 000, 1e4, 1e+04 or 10^4.

    A number below 1,000 does not count if it is written with e+, as in 1e+02.
    """
    if label.startswith("_"):  # matplotlib's default names for lines without a label
        return set()
    label = re.sub(r"(?<=\d)(?:\{,\}|[ .,_'\u00a0\u2009\u202f])(?=\d{3}(?![\de]))", "", label)
    label = re.sub(r"\b10\^\{?(\d+)\}?", r"1e\1", label)
    found = re.findall(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?", label)
    return {float(number) for number in found if "e+" not in number or float(number) >= 1_000}


def heights(line, offsets: np.ndarray) -> np.ndarray:
    """The heights of a line at these offsets. A height is nan where the line has no point."""
    x, y = _next_points(line, offsets)
    return np.where(x == offsets, y, np.nan)


def _next_points(line, offsets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each offset, the point of the line with the next x: its x and y. Both are nan if the line has no points."""
    if not line.x.size:
        return np.full((2, len(offsets)), np.nan)
    order = np.argsort(line.x, kind="stable")
    at = order[np.clip(np.searchsorted(line.x, offsets, sorter=order), 0, order.size - 1)]
    return line.x[at], line.y[at]


def allowed(offsets: np.ndarray) -> np.ndarray:
    """The tolerance for heights at these offsets.

    It grows with the offset: with a wavelength within its tolerance, angles are off by up to ACCURACY * offset.
    """
    return 1e-3 + ACCURACY * offsets


def judge_sweep(observation: Observation) -> Finding | None:
    """Check draw_sweep: the curves, then scales, labels and legend."""
    return judge_curves(observation) or judge_words(observation)


@rule
def judge_curves(observation: Observation, drawing: Drawing) -> Finding | None:
    """Check the line of each base at every offset. The columns of `observation.expected` are the offsets and each base's similarity."""
    bases = observation.args[0]
    if observation.expected is None:  # one of the autograder's rules checks this call
        return None
    offsets, *right = np.asarray(observation.expected).T
    if not drawing.lines:
        return absent(drawing, Finding("no-lines"))
    call, lines = Finding("said", {"text": call_of(observation)}), curves(drawing, bases)
    if len(lines) < len(bases):
        return Finding("unlabelled_lines", {"bases": [base for base in bases if base not in lines]})
    for base, wanted in zip(bases, right):
        missing = OFFSETS[_next_points(lines[base], OFFSETS)[0] != OFFSETS]  # setdiff1d takes six times as long
        if missing.size:
            return Finding("offsets", {"call": call, "base": base, "offset": int(missing[0])})
        seen = heights(lines[base], offsets)
        wrong = ~(np.abs(seen - wanted) <= allowed(offsets))
        if wrong.any():
            first = np.argmax(wrong)
            return Finding("height", {"call": call, "base": base, "offset": int(offsets[first]), "seen": seen[first]})
    return None


@rule
def judge_words(observation: Observation, drawing: Drawing) -> Finding | None:
    drawing = observation.actual
    if drawing.xscale != "log":
        return Finding("scale", {"scale": drawing.xscale})
    if drawing.yscale in ("log", "logit"):
        return Finding("below_0", {"scale": drawing.yscale})
    return is_labelled("xlabel", "ylabel", "legend")(observation)


WAVELENGTHS = Exercise(
    name="wavelengths",
    probes=(Probe((8, 10_000)), Probe((32, 10_000)), Probe((10, 100)), Probe((2, 10_000))),
    tolerance=Tolerance(absolute=0, per_position=0, relative=EXACT),
)

# Rounding to two decimals moves an angle by at most 0.0071, which is 0.0071 positions for the fastest hand and 40 for the
# slowest at d = 32. A float32 answer is within 0.0101 up to d = 256. An answer from a table in steps of 0.1 is off by 0.05
# halfway between two steps. At the four whole numbers from 226 on, the position falls just short of a whole turn of the next hand.
DECODE = Exercise(
    name="decode",
    useful=True,
    probes=(
        Probe((Printed(3, 32),)),
        Probe((Printed(100.35, 8),)),
        Probe((Printed(301.95, 4),)),
        Probe((Printed(5_000.15, 8),)),
        Probe((Printed(25_000.85, 32),)),
        Probe((Printed(226, 4),)),
        Probe((Printed(798, 8),)),
        Probe((Printed(6_390, 32),)),
        Probe((Printed(15_084, 64),)),
        Probe((Printed(25_000.45, 256),)),
    ),
    tolerance=Tolerance(absolute=0.03, per_position=0),
)

# In the first table the two nearest rows are adjacent; with base 10,000, T = 64 and d = 8 they are 63 positions apart. One of
# that table's wavelengths is 62.83, so its pair completes a cycle at T = 63 but not at T = 62.
# Distances computed from a float32 table, even with its Gram matrix, are accurate to 1.1e-5 up to 200 positions.
SWEEP = Exercise(
    name="sweep",
    probes=(
        Probe((BASES, 128, 32)),
        Probe(((10, 10_000), 64, 8)),
        Probe(((30,), 40, 16)),
        Probe(((10_000,), 63, 8)),
        Probe(((10_000,), 62, 8)),
    ),
    tolerance=Tolerance(absolute=1e-4, per_position=0, relative=ACCURACY),
    judge=judge_columns,
)

BASE_FOR_LENGTH = Exercise(
    name="base_for_length",
    probes=(
        Probe((128, 32)),
        Probe((64, 8)),
        Probe((1_000_000, 128)),
        Probe((7, 4)),
        Probe((128, 2), raises="ValueError"),
        Probe((6, 32), raises="ValueError"),
        Probe((6, 4), raises="ValueError"),
    ),
    tolerance=Tolerance(absolute=0, per_position=0, relative=1e-5),
)

DRAW_SWEEP = Exercise(
    name="draw_sweep",
    useful=True,
    kind="figure",
    probes=(Probe((BASES, 32)), Probe(((20, 3_000), 8))),
    judge=judge_sweep,
)

CHOOSE_A_BASE = Exercise(name="choose_a_base", points=2, kind="written")

# In float32, every hand except the first gives the base to within 1e-5. A cosine alone is off by 1.3 % at base 250,000 and d = 4.
WHICH_BASE = Exercise(
    name="which_base",
    probes=(
        Probe((RowOne(700, 32),)),
        Probe((RowOne(250_000, 8),)),
        Probe((RowOne(3, 4),)),
        Probe((RowOne(20, 64),)),
        Probe((RowOne(250_000, 4),)),
        Probe((RowOne(2.4, 6),)),
    ),
    tolerance=Tolerance(absolute=0, per_position=0, relative=1e-3),
    graded_only=True,
    useful=True,
)

LAB = Lab(
    name="05_base_sweep",
    exercises=(WAVELENGTHS, DECODE, SWEEP, BASE_FOR_LENGTH, DRAW_SWEEP, CHOOSE_A_BASE, WHICH_BASE),
)
