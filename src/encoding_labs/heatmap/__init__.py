"""Lab 02: the table as a picture."""

from labkit.model.course import Environment

ENVIRONMENT = Environment(
    packages=("minimodel",), warm=("matplotlib.pyplot", "minimodel.positional.sinusoidal", "numpy")
)
