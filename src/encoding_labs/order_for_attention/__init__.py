"""Lab 06: why attention ignores the order of tokens, and three ways to make it depend on order."""

from encoding_labs.environment import WITH_LOCKED_MODULE

ENVIRONMENT = WITH_LOCKED_MODULE
