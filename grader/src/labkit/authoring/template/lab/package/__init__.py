"""Lab 00, blank. REPLACE: what it is about."""

from labkit.model.course import Environment

ENVIRONMENT = Environment(warm=("numpy",))  # what the lab's kernel imports before a submission runs
