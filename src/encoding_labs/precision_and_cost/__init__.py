"""Lab 07: the accuracy and cost of a table."""

from labkit.model.course import Environment

ENVIRONMENT = Environment(
    packages=("minimodel",), warm=("matplotlib.pyplot", "minimodel.positional.sinusoidal", "numpy")
)
