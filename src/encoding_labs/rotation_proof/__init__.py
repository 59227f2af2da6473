"""Lab 03: proof that a shift is a rotation."""

from labkit.model.course import Environment

ENVIRONMENT = Environment(
    packages=("minimodel",),
    warm=("encoding_labs.clock", "matplotlib.pyplot", "minimodel.positional.sinusoidal", "numpy", "sympy"),
)
