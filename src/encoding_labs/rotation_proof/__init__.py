"""Lab 03: a shift is a rotation, proved."""

from labkit.model.course import Environment

ENVIRONMENT = Environment(
    packages=("minimodel",),
    warm=("encoding_labs.clock", "matplotlib.pyplot", "minimodel.positional.sinusoidal", "numpy", "sympy"),
)
