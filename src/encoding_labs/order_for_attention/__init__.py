"""Lab 06: attention does not see order, and three ways to give it one."""

from labkit.model.course import Environment

ENVIRONMENT = Environment(
    packages=("minimodel",), warm=("matplotlib.pyplot", "minimodel.positional.sinusoidal", "numpy")
)
