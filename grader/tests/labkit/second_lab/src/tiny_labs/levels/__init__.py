"""Lab 02: the values that occur, and their plot."""

from labkit.model.course import Environment

ENVIRONMENT = Environment(packages=("ruler",), warm=("matplotlib.pyplot", "numpy", "ruler.measure"))
