"""Formulas for the known mistakes in lab 07, precision and cost. Each returns the values that a mistake leads to.

Mistakes that show only as rounding errors, or differ between machines, are in `src/encoding_labs/precision_and_cost`.
"""

from labkit.author.source.wrong_formulas import within

from .wrong_errors import WRONG_ERRORS
from .wrong_rows import WRONG_ROWS
from .wrong_times import WRONG_TIMES

WRONG = {
    "float32_error": WRONG_ERRORS,
    "first_bad_position": {"error-for-position": within(2e-4, lambda d, tolerance: tolerance)},
    "double": WRONG_ROWS,
    "time_of_day": WRONG_TIMES,
}
