"""Lab 05: what the base is for."""

from labkit.model.course import Environment

ENVIRONMENT = Environment(
    packages=("minimodel",),
    warm=("encoding_labs.clock", "matplotlib.pyplot", "minimodel.positional.sinusoidal", "numpy"),
)
