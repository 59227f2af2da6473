"""Known mistakes in lab 01, spread, each as a formula. The feedback for each is in src/my_labs/spread/words.en.toml."""

import statistics

from labkit.author.source.wrong_formulas import telling


def sample_spread(values):
    return telling(statistics.stdev(values), one_less=len(values) - 1)


WRONG = {
    "spread": {
        "sample-spread": sample_spread,
        "variance": lambda values: statistics.pvariance(values),
    },
}
