"""The exercises of lab 01, build the table."""

from encoding_labs.build_the_table.counted import judge_names, judge_numbers
from encoding_labs.build_the_table.gallery import Gallery, Shuffled
from encoding_labs.build_the_table.look import draw_difference
from labkit.model.course import Exercise, Lab, Probe, Tolerance
from labkit.student.calls.calling import add_kind

add_kind("naming", lambda name, inputs: name(*inputs))  # answers are functions; right names are stored as digests

FREQUENCIES = Exercise(
    name="frequencies",
    probes=(Probe((4,)), Probe((32,)), Probe((10,))),
    tolerance=Tolerance(absolute=1e-9, per_position=0, relative=1e-6),
)

# Together (64, 32) and (10, 6) distinguish the known formula mistakes; (1000, 10) shows rounding errors that add up.
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

BY_HAND = Exercise(name="by_hand", kind="value", judge=judge_numbers)

NAME_THE_MISTAKE = Exercise(
    name="name_the_mistake",
    kind="naming",
    probes=(Probe((Gallery(),)),),
    judge=judge_names,
    right="right-on-four",
    useful=True,
)

WHY_PAIRS = Exercise(name="why_pairs", points=2, kind="written")

# With few positions, one tolerance fits all entries: it accepts float32 angles but not values rounded to four decimals.
SINUSOIDAL_POS = Exercise(
    name="sinusoidal_pos",
    extra=True,
    probes=(Probe((0, 4, 6)), Probe((7, 4, 6)), Probe((7, 10, 32)), Probe((2024, 1, 8))),
    tolerance=Tolerance(absolute=2e-5, per_position=0),
)

UNSHUFFLE = Exercise(
    name="unshuffle",
    probes=(Probe((Shuffled(40, 8, base=150.0, columns=(2, 7, 4, 1, 0, 5, 3, 6)),)),),
    graded_only=True,
    useful=True,
)

LAB = Lab(
    name="01_build_the_table",
    exercises=(BY_HAND, FREQUENCIES, SINUSOIDAL_PE, NAME_THE_MISTAKE, WHY_PAIRS, SINUSOIDAL_POS, UNSHUFFLE),
)
