"""Lab 05: how the base sets a table's wavelengths, and how to choose a base."""

from encoding_labs.environment import WITH_LOCKED_MODULE

ENVIRONMENT = WITH_LOCKED_MODULE
