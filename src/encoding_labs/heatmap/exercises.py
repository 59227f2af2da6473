"""Lab 02, heatmap: what is asked."""

from functools import partial

from encoding_labs.heatmap.curves import CURVE_RULES
from encoding_labs.heatmap.pictures import HEATMAP_RULES, first_broken
from encoding_labs.tables import Table
from labkit.course import Exercise, Lab, Probe
from labkit.judging.finding import Finding
from labkit.judging.observation import Observation, call_text, describe
from labkit.judging.short_answers import judge_items
from labkit.judging.words import register

TEXTS = {
    "en": {
        "count": "{call} gave {seen}. Write the wavelengths of the first few pairs beside each other. Which of them are at "
        "most {T}? Each such pair counts once.",
    },
    "es": {
        "count": "{call} dio {seen}. Escribe las longitudes de onda de los primeros pares, una junto a otra. ¿Cuáles son "
        "como mucho {T}? Cada uno de esos pares cuenta una vez.",
    },
}
register(TEXTS, "full_cycles")


def judge_count(observation: Observation) -> Finding | None:
    """A whole number is right or not; how far it is off would tell the answer."""
    found = observation.difference
    if found is None or found.id != "values":
        return describe(observation) if found else None
    return Finding("count", {"call": call_text(observation), "seen": found.facts["seen"], "T": observation.args[0]})


# At T = 3 no entry is below -0.42, so limits left to themselves are off; at T = 1000 a row is less than a pixel, so that
# "auto" smooths.
DRAW_HEATMAP = Exercise(
    name="draw_heatmap",
    kind="figure",
    probes=(Probe((Table(1000, 32),)), Probe((Table(3, 8),))),
    judge=partial(first_broken, rules=HEATMAP_RULES),
)

# No wavelength lies within 1 % of T here. At (6, 8) the fastest pair needs 6.28 positions, at (40000, 16) every pair is
# done.
FULL_CYCLES = Exercise(
    name="full_cycles",
    probes=(Probe((64, 32)), Probe((512, 128)), Probe((6, 8)), Probe((40000, 16))),
    judge=judge_count,
)

DRAW_COLUMNS = Exercise(
    name="draw_columns",
    kind="figure",
    probes=(Probe((Table(64, 32), (0, 8, 16))), Probe((Table(30, 12), (3, 1)))),
    judge=partial(first_broken, rules=CURVE_RULES),
)

READ_A_FIGURE = Exercise(name="read_a_figure", kind="value", judge=judge_items)

WHAT_THE_PICTURE_HIDES = Exercise(name="what_the_picture_hides", points=1, kind="written")

LAB = Lab(name="02_heatmap", exercises=(DRAW_HEATMAP, FULL_CYCLES, DRAW_COLUMNS, READ_A_FIGURE, WHAT_THE_PICTURE_HIDES))
