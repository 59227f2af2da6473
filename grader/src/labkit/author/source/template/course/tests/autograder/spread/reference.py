"""Reference answers for lab 01, spread."""

import statistics

from labkit.student.judging.short_answers import stored


def spread(values):
    """The population standard deviation."""
    return statistics.pstdev(values)


BY_HAND = stored("by_hand", {"0": spread((1, 3)), "1": spread((1, 3, 5))}, decimals=2)
