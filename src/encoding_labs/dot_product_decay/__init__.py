"""Lab 04: what the dot product of two rows reveals about their offset."""

from labkit.model.course import Environment

ENVIRONMENT = Environment(
    packages=("minimodel",), warm=("matplotlib.pyplot", "minimodel.positional.sinusoidal", "numpy")
)
