"""Lab 01: how far values lie apart."""

from labkit.model.course import Environment

ENVIRONMENT = Environment(warm=("numpy",))
