"""Lab 01: build the table, without the locked module `minimodel`."""

from labkit.model.course import Environment

ENVIRONMENT = Environment()
