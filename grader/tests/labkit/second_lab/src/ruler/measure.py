"""The spread, provided for later labs. Students write it in the first lab."""

import numpy as np


def spread(values):
    """The root of the mean squared distance from the mean. Errors: ValueError without values."""
    if len(values) == 0:
        raise ValueError("no values have no spread")
    return float(np.std(values))
