"""Lab 01, spread: its mistakes, each recognised by the numbers that it gives."""

import statistics
from numbers import Real

from labkit.judging.diagnosis import mistake


def numbers_seen(observations):
    """The observations in which a number came back where one was asked for."""
    return [each for each in observations if not each.raises and isinstance(each.actual, Real)]


@mistake(
    "sample-spread",
    "spread",
    en="For {values} you got {seen:.4g}, which is what dividing by {one_less} gives. Over how many values is the mean taken?",
)
def sample_spread(observations):
    found = [each for each in numbers_seen(observations) if len(set(each.args[0])) > 1]
    if not found or any(abs(each.actual - statistics.stdev(each.args[0])) > 1e-6 for each in found):
        return None
    values = found[0].args[0]
    return {"values": list(values), "seen": found[0].actual, "one_less": len(values) - 1}


@mistake(
    "variance",
    "spread",
    en="For {values} you got {seen:.4g}. If the values are metres, what is the unit of your result?",
)
def variance(observations):
    found = [each for each in numbers_seen(observations) if len(set(each.args[0])) > 1]
    if not found or any(abs(each.actual - statistics.pvariance(each.args[0])) > 1e-6 for each in found):
        return None
    return {"values": list(found[0].args[0]), "seen": found[0].actual}
