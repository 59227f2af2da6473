"""Exercises of lab 02, levels."""

from labkit.model.course import Exercise, Lab, Probe
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import call_of
from labkit.student.judging.words import register

register(
    {"en": {"lines": "{call} drew {seen} lines; one is asked for, through the values in their order."}}, "draw_levels"
)


def one_line_through_the_values(observation):
    lines = observation.actual.lines
    if len(lines) == 1 and lines[0].y.tolist() == list(observation.args[0]):
        return None
    return Finding("lines", {"call": call_of(observation), "seen": len(lines)})


LEVELS = Exercise(name="levels", probes=(Probe(((3.0, 1.0, 3.0),)), Probe(((5.0,),), twice=True)), dtype="float64")

DRAW_LEVELS = Exercise(
    name="draw_levels", kind="figure", probes=(Probe(((2.0, 4.0, 3.0),)),), judge=one_line_through_the_values
)

MEANING = Exercise(name="meaning", kind="written", points=1)

LAB = Lab(name="02_levels", exercises=(LEVELS, DRAW_LEVELS, MEANING))
