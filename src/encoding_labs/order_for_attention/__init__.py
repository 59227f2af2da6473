"""Lab 06: why attention ignores the order of tokens, and how adding positions ends that."""

from encoding_labs.environment import WITH_LOCKED_MODULE

ENVIRONMENT = WITH_LOCKED_MODULE
