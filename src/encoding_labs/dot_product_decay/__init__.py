"""Lab 04: what the dot product of two rows reveals about their offset."""

from encoding_labs.environment import WITH_LOCKED_MODULE

ENVIRONMENT = WITH_LOCKED_MODULE
