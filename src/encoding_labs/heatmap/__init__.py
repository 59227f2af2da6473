"""Lab 02: the table as a picture."""

from encoding_labs.environment import WITH_LOCKED_MODULE

ENVIRONMENT = WITH_LOCKED_MODULE
