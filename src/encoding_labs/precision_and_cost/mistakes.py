"""Register the mistakes of lab 07 that are recognized by a rule instead of a formula, by importing them."""

from encoding_labs.precision_and_cost import (  # noqa: F401
    double_mistakes,
    error_mistakes,
    position_mistakes,
)
