"""Lab 04: what the dot product of two rows tells of their offset."""

from labkit.model.course import Environment

ENVIRONMENT = Environment(
    packages=("minimodel",), warm=("matplotlib.pyplot", "minimodel.positional.sinusoidal", "numpy")
)
