"""Exercises of lab 00, blank."""

from labkit.model.course import Exercise, Lab, Probe

# REPLACE this example. Its probes are the calls that check() makes in the notebook.
EXAMPLE = Exercise(name="blank_example", probes=(Probe(((2.0, 4.0, 9.0),)), Probe(((5.0,),))))

LAB = Lab(name="00_blank", exercises=(EXAMPLE,))
