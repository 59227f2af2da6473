"""Lab 01: the table, built without the locked module."""

from labkit.model.course import Environment

ENVIRONMENT = Environment()
