"""Lab 05: how the base sets a table's wavelengths, and how to choose one."""

from labkit.model.course import Environment

ENVIRONMENT = Environment(
    packages=("minimodel",),
    warm=("encoding_labs.clock", "matplotlib.pyplot", "minimodel.positional.sinusoidal", "numpy"),
)
