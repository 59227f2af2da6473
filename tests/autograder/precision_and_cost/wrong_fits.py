"""Wrong formulas of cost: what goes into the fit, and what comes out of it."""

import numpy as np

from labkit.authoring.wrong_formulas import telling, within

from .reference import cost, fitted, of_each_size

STATISTIC = 0.02  # another statistic of the warm times moves an exponent by less


def fit(exponents, close=STATISTIC, **facts):
    """A wrong fit as a formula, which tells its two exponents."""

    def formula(rows):
        found = exponents(rows)
        return telling(found, in_T=found[0], in_d=found[1], **facts)

    return within(close, formula)


def logarithms(rows, summed_up=np.median):
    return [*map(np.log, of_each_size(rows, summed_up))]


def slopes(sizes, heights):
    return fitted(sizes, heights)[1:]


def of_every_row(rows):
    return slopes(np.log(rows[:, :2]), np.log(rows[:, 2]))


def constant_and_slopes(picked, logarithm):
    """The unknowns log c, a and b of the right fit, picked by number."""

    def formula(rows):
        unknowns = fitted(*map(logarithm, of_each_size(rows)))
        return telling(unknowns[picked], constant=unknowns[0], count=len(picked))

    return formula


def line(x, y):
    return np.polyfit(x, y, 1)[0]


def of_means(sizes, heights):
    """The slope over the mean height at each size."""
    values = np.unique(sizes)
    return line(values, [heights[sizes == value].mean() for value in values])


def each_alone(slope):
    """An exponent for each size, whatever the other size was."""
    return lambda rows: [slope(sizes, logarithms(rows)[1]) for sizes in logarithms(rows)[0].T]


def of_entries(rows):
    """The exponent of the number of entries T * d."""
    sizes, times = logarithms(rows)
    return line(sizes.sum(axis=1), times)


def in_one_order(sizes_of):
    """Rounds side by side as if each had the order of the first."""

    def exponents(rows):
        n = len(of_each_size(rows)[0])
        return slopes(np.log(sizes_of(rows, n)), np.log(np.median(rows[:, 2].reshape(-1, n), axis=0)))

    return exponents


WRONG_FITS = {
    "cold-call": [
        fit(of_every_row),
        fit(lambda rows: of_every_row(rows[1:])),
        fit(lambda rows: slopes(*logarithms(rows, np.mean))),
        fit(lambda rows: slopes(*logarithms(rows, np.max))),
        fit(lambda rows: slopes(*logarithms(rows, lambda times: times[0]))),
    ],
    "exponents-exchanged": fit(lambda rows: cost(rows)[::-1]),
    "no-logarithm": [
        fit(lambda rows: slopes(*of_each_size(rows)), close=1e-3),
        fit(lambda rows: slopes(of_each_size(rows)[0], logarithms(rows)[1]), close=1e-3),
        fit(lambda rows: slopes(logarithms(rows)[0], of_each_size(rows)[1]), close=0.4),  # of about 20
    ],
    "mixed-logarithms": [
        fit(lambda rows, factor=factor: cost(rows) * factor, factor=factor)
        for ratio in (np.log(10), np.log(2), np.log2(10))
        for factor in (ratio, 1 / ratio)
    ],
    "no-constant": fit(lambda rows: np.linalg.lstsq(*logarithms(rows))[0]),
    "constant-included": [
        constant_and_slopes(picked, logarithm)
        for picked in ([0, 1], [0, 1, 2], [1, 2, 0])
        for logarithm in (np.log, np.log10, np.log2)
    ],
    "one-exponent": [
        within(STATISTIC, lambda rows: telling(of_entries(rows), in_T=of_entries(rows))),
        fit(lambda rows: [of_entries(rows)] * 2),
    ],
    "sizes-apart": [fit(each_alone(line)), fit(each_alone(of_means))],
    "seconds-per-entry": fit(lambda rows: cost(rows) - 1),
    "always-linear": fit(lambda rows: [1.0, 1.0]),
    "rounds-misaligned": [
        fit(in_one_order(lambda rows, n: rows[:n, :2])),
        fit(in_one_order(lambda rows, n: of_each_size(rows)[0])),
    ],
}
