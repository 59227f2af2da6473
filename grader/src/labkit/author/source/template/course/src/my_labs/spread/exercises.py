"""Exercises of lab 01, spread."""

from functools import partial

from labkit.model.course import Exercise, Lab, Probe
from labkit.student.judging.short_answers import judge_items

SPREAD = Exercise(
    name="spread",
    probes=(Probe(((2.0, 4.0, 9.0),)), Probe(((5.0, 5.0),)), Probe(((),), raises="ValueError")),
)

BY_HAND = Exercise(name="by_hand", kind="value", judge=partial(judge_items, decimals=2))

ROBUST = Exercise(name="robust", kind="written", points=2)

LAB = Lab(name="01_spread", exercises=(SPREAD, BY_HAND, ROBUST))
