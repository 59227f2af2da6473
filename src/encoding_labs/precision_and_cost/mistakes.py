"""The mistakes of lab 07: importing them enters them."""

from encoding_labs.precision_and_cost import (  # noqa: F401
    double_mistakes,
    error_mistakes,
    fit_mistakes,
    position_mistakes,
    rounding_mistakes,
)
