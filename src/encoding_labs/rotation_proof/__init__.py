"""Lab 03: proof that a shift is a rotation."""

from dataclasses import replace

from encoding_labs.environment import WITH_LOCKED_MODULE

ENVIRONMENT = replace(WITH_LOCKED_MODULE, warm=(*WITH_LOCKED_MODULE.warm, "sympy"))
