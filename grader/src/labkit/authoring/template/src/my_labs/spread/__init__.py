"""Lab 01: how far values lie apart."""

from labkit.course import Environment

ENVIRONMENT = Environment(warm=("numpy",))
