"""Lab 00, blank. REPLACE: its topic."""

from labkit.model.course import Environment

ENVIRONMENT = Environment(warm=("numpy",))  # imported before a submission runs
