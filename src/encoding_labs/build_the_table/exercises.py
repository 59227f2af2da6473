"""Lab 01, build the table: what is asked."""

from functools import partial

from encoding_labs.build_the_table.look import draw_difference
from labkit.course import Exercise, Lab, Probe, Tolerance
from labkit.judging.short_answers import judge_items

FREQUENCIES = Exercise(
    name="frequencies",
    probes=(Probe((4,)), Probe((32,)), Probe((10,))),
    tolerance=Tolerance(absolute=1e-9, per_position=0, relative=1e-6),
)

# (64, 32) and (10, 6) together tell the known formula mistakes apart; (1000, 10) shows rounding that adds up.
SINUSOIDAL_PE = Exercise(
    name="sinusoidal_pe",
    dtype="float32",
    look=draw_difference,
    probes=(
        Probe((64, 32)),
        Probe((10, 6)),
        Probe((1000, 10)),
        Probe((0, 4)),
        Probe((6, 8), twice=True),
        Probe((8, 7), raises="ValueError"),
        Probe((8, 0), raises="ValueError"),
        Probe((-1, 8), raises="ValueError"),
    ),
)

BY_HAND = Exercise(name="by_hand", kind="value", judge=partial(judge_items, decimals=4))

NAME_THE_MISTAKE = Exercise(name="name_the_mistake", kind="value", judge=judge_items)

WHY_PAIRS = Exercise(name="why_pairs", points=2, kind="written")

LAB = Lab(name="01_build_the_table", exercises=(FREQUENCIES, SINUSOIDAL_PE, BY_HAND, NAME_THE_MISTAKE, WHY_PAIRS))
