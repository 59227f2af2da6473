"""Lab 01: the spread of values."""

from labkit.model.course import Environment

ENVIRONMENT = Environment(warm=("numpy",))
