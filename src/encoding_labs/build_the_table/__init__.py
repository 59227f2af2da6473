"""Lab 01: build the table, without the locked module."""

from labkit.model.course import Environment

ENVIRONMENT = Environment()
