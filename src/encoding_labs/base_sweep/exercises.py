"""Lab 05, base sweep: what is asked, and how its figure is judged."""

import re

import numpy as np

from labkit.calls.axes import Drawing
from labkit.course import Exercise, Lab, Probe, Tolerance
from labkit.judging.finding import Finding
from labkit.judging.observation import Observation
from labkit.judging.words import register

BASES = (10, 100, 1_000, 10_000, 500_000)
OFFSETS = np.unique(np.geomspace(1, 10_000, 160).round().astype(int))  # whole, and evenly spread on a logarithmic axis
ACCURACY = 3e-6  # of a wavelength; float32 arithmetic is off by up to 7.5e-7 of it (d up to 512, base up to 500,000)

TEXTS = {
    "en": {
        "unlabelled_lines": "There has to be one line for each base, with that base in its label; look at: {bases:,}.",
        "offsets": "The line of base {base:,} is not drawn at every one of OFFSETS; the first that is missing is {offset}.",
        "height": "The line of base {base:,} is first off at offset {offset}: it stands at {seen:.4f}, {error:.2g} away.",
        "scale": "The offset axis is {scale}; a logarithmic one shows near and far offsets alike.",
        "words": "A stranger could not read the figure yet: it has no {missing}.",
        "xlabel": "label on the offset axis",
        "ylabel": "label on the similarity axis",
        "legend": "legend",
    },
    "es": {
        "unlabelled_lines": "Debe haber una línea por cada base, con esa base en su etiqueta; revisa: {bases:,}.",
        "offsets": "La línea de la base {base:,} no pasa por todos los OFFSETS; el primero que falta es {offset}.",
        "height": "La línea de la base {base:,} difiere por primera vez en el desplazamiento {offset}: vale {seen:.4f}, "
        "a {error:.2g} del valor correcto.",
        "scale": "El eje de desplazamientos es {scale}; uno logarítmico muestra por igual lo cercano y lo lejano.",
        "words": "Quien no conozca la figura aún no puede leerla: le falta {missing}.",
        "xlabel": "el rótulo del eje de desplazamientos",
        "ylabel": "el rótulo del eje de similitud",
        "legend": "la leyenda",
    },
}
register(TEXTS, "draw_sweep")


def curves(drawing: Drawing, bases: tuple) -> dict:
    """The line of each base, found by its label; a base with no line of its own, or with several, is left out."""
    found = {base: [line for line in drawing.lines if base in numbers_in(line.label)] for base in bases}
    return {base: lines[0] for base, lines in found.items() if len(lines) == 1}


def numbers_in(label: str) -> set[float]:
    """The numbers of a label: 10000, 10,000, 10.000, 10 000, 1e4, 1e+04 and 10^4 are the same."""
    if label.startswith("_"):  # matplotlib's own names for lines without a label
        return set()
    label = re.sub(r"(?<=\d)(?:\{,\}|[ .,_'\u00a0\u2009\u202f])(?=\d{3}(?![\de]))", "", label)
    label = re.sub(r"\b10\^\{?(\d+)\}?", r"1e\1", label)
    return {float(number) for number in re.findall(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?", label)}


def heights(line, offsets: np.ndarray) -> np.ndarray:
    """Where a line stands at these offsets; nan where it has no point."""
    if not line.x.size:
        return np.full(len(offsets), np.nan)
    order = np.argsort(line.x, kind="stable")
    x, y = line.x[order], line.y[order]
    at = np.clip(np.searchsorted(x, offsets), 0, x.size - 1)
    return np.where(x[at] == offsets, y[at], np.nan)


def allowed(offsets: np.ndarray) -> np.ndarray:
    """How far a line may be off: an accepted wavelength turns every angle of these offsets by up to ACCURACY * offset."""
    return 1e-3 + ACCURACY * offsets


def judge_sweep(observation: Observation) -> Finding | None:
    """The judge of draw_sweep; `observation.expected` holds the offsets and each base's similarity, as columns."""
    drawing = observation.actual
    if not isinstance(drawing, Drawing):
        return Finding("unlabelled_lines", {"bases": []})
    bases, (offsets, *right) = observation.args[0], np.asarray(observation.expected).T
    lines = curves(drawing, bases)
    if len(lines) < len(bases):
        return Finding("unlabelled_lines", {"bases": [base for base in bases if base not in lines]})
    for base, wanted in zip(bases, right):
        seen = heights(lines[base], offsets)
        error = np.abs(seen - wanted)
        wrong = error > allowed(offsets)
        if np.isnan(seen).any():
            return Finding("offsets", {"base": base, "offset": int(offsets[np.isnan(seen)][0])})
        if wrong.any():
            first = np.argmax(wrong)
            where = {"base": base, "offset": int(offsets[first])}
            return Finding("height", {**where, "seen": seen[first], "error": error[first]})
    if drawing.xscale != "log":
        return Finding("scale", {"scale": drawing.xscale})
    missing = [Finding(part) for part in ("xlabel", "ylabel", "legend") if not getattr(drawing, part)]
    return Finding("words", {"missing": missing}) if missing else None


WAVELENGTHS = Exercise(
    name="wavelengths",
    probes=(Probe((8, 10_000)), Probe((32, 10_000)), Probe((10, 100)), Probe((2, 10_000))),
    tolerance=Tolerance(absolute=0, per_position=0, relative=ACCURACY),
)

LONGEST_WAVELENGTH = Exercise(
    name="longest_wavelength",
    probes=(Probe((32, 10_000)), Probe((8, 500)), Probe((2, 10_000))),
    tolerance=Tolerance(absolute=0, per_position=0, relative=ACCURACY),
)

# The nearest rows of the first table are adjacent ones; those of (10000, 64, 8) are 63 positions apart.
# A float32 table, also by way of its Gram matrix, gives the distance to 1.1e-5 up to 200 positions.
SWEEP = Exercise(
    name="sweep",
    probes=(Probe((BASES, 128, 32)), Probe(((10, 10_000), 64, 8)), Probe(((30,), 40, 16))),
    tolerance=Tolerance(absolute=1e-4, per_position=0, relative=ACCURACY),
)

BASE_FOR_LENGTH = Exercise(
    name="base_for_length",
    probes=(
        Probe((128, 32)),
        Probe((64, 8)),
        Probe((1_000_000, 128)),
        Probe((128, 2), raises="ValueError"),
        Probe((6, 32), raises="ValueError"),
    ),
    tolerance=Tolerance(absolute=0, per_position=0, relative=1e-5),
)

DRAW_SWEEP = Exercise(
    name="draw_sweep",
    kind="figure",
    probes=(Probe((BASES, 32)), Probe(((20, 3_000), 8))),
    judge=judge_sweep,
)

CHOOSE_A_BASE = Exercise(name="choose_a_base", points=2, kind="written")

LAB = Lab(
    name="05_base_sweep",
    exercises=(WAVELENGTHS, LONGEST_WAVELENGTH, SWEEP, BASE_FOR_LENGTH, DRAW_SWEEP, CHOOSE_A_BASE),
)
