"""Import all mistakes of lab 07 that are not formulas, which registers them."""

from encoding_labs.precision_and_cost import (  # noqa: F401
    double_mistakes,
    error_mistakes,
    position_mistakes,
)
