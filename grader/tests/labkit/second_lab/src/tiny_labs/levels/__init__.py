"""Lab 02: which values occur, and what they look like."""

from labkit.model.course import Environment

ENVIRONMENT = Environment(packages=("ruler",), warm=("matplotlib.pyplot", "numpy", "ruler.measure"))
