"""Lab 05, base sweep: what is asked."""

from labkit.course import Lab

LAB = Lab(name="05_base_sweep", title="Base sweep", exercises=())
