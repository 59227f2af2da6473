"""Lab 01, build the table. It does not use the locked module `minimodel`."""

from labkit.model.course import Environment

ENVIRONMENT = Environment()
