"""Lab 07: the accuracy and cost of a table."""

from encoding_labs.environment import WITH_LOCKED_MODULE

ENVIRONMENT = WITH_LOCKED_MODULE
