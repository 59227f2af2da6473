"""Wrong formulas for `unshuffle`, which put the columns in a wrong order."""

import numpy as np

from autograder.wrong_tables import table_of

from . import reference


def put(order):
    """Make an answer that sorts the table's sines and cosines, fastest first, and returns `order(sines, cosines)`."""

    def answer(table):
        right = reference.unshuffle(table)
        return order(right[:, 0::2], right[:, 1::2])

    return answer


def interleaved(sines, cosines):
    return np.stack([sines, cosines], axis=-1).reshape(len(sines), -1)


def as_they_came(table, first, second):
    """Interleave the sines and cosines of a shuffled table, the sines reordered by `first` and the cosines by `second`."""
    sines, cosines = table[:, table[0] < 0.5], table[:, table[0] > 0.5]
    return interleaved(first(sines), second(cosines))


def by_row_1(columns):
    return columns[:, np.argsort(columns[1])]


def unchanged(columns):
    return columns


def pairs_in_the_order_of(column):
    """Form the right pairs, but in the order in which their sines (column 0) or cosines (column 1) occur."""

    def answer(table):
        right = reference.unshuffle(table)
        pairs = np.argsort(order_of(table)[column::2])
        return interleaved(right[:, 0::2][:, pairs], right[:, 1::2][:, pairs])

    return answer


def order_of(table):
    """For each column of the right table, its index in the shuffled table."""
    return np.array([np.flatnonzero((table == each[:, None]).all(axis=0))[0] for each in reference.unshuffle(table).T])


# Ways to arrange sines and cosines that are in the wrong order, and ways to order them wrongly. An answer may have one of each.
ARRANGED = {
    "swapped-sin-cos": lambda sines, cosines: interleaved(cosines, sines),
    "halves-layout": lambda sines, cosines: np.hstack([sines, cosines]),
    "halves-swapped": lambda sines, cosines: np.hstack([cosines, sines]),
}
ORDERED = {
    "frequencies-reversed": lambda sines, cosines: (sines[:, ::-1], cosines[:, ::-1]),
    "pairs-apart": lambda sines, cosines: (sines, cosines[:, ::-1]),
    "sign-lost": lambda sines, cosines: (sines, np.abs(cosines)),
}

UNSHUFFLE = {
    **{id: put(arrange) for id, arrange in ARRANGED.items()},
    **{
        f"{one} {other}": put(lambda *pairs, arrange=arrange, order=order: arrange(*order(*pairs)))
        for one, arrange in ARRANGED.items()
        for other, order in ORDERED.items()
    },
    **{
        f"{id} unsorted": lambda table, arrange=arrange: arrange(table[:, table[0] < 0.5], table[:, table[0] > 0.5])
        for id, arrange in ARRANGED.items()
    },
    "frequencies-reversed": put(lambda sines, cosines: interleaved(sines[:, ::-1], cosines[:, ::-1])),
    "pairs-apart": [
        put(lambda sines, cosines: interleaved(sines, cosines[:, ::-1])),
        put(lambda sines, cosines: interleaved(sines[:, ::-1], cosines)),
    ],
    "sign-lost": put(lambda sines, cosines: interleaved(sines, np.abs(cosines))),
    "unsorted": [
        lambda table: as_they_came(table, unchanged, unchanged),
        lambda table: as_they_came(table, unchanged, by_row_1),
        lambda table: as_they_came(table, lambda sines: by_row_1(sines)[:, ::-1], unchanged),
    ],
    "pairs-unsorted": [pairs_in_the_order_of(0), pairs_in_the_order_of(1)],
    "sorted-together": [by_row_1, lambda table: by_row_1(table)[:, ::-1]],
    "as-it-came": unchanged,
    "wrong-base": lambda table: table_of(*table.shape),
    "order-alone": [order_of, lambda table: np.argsort(order_of(table))],
    "hard-coded-order": lambda table: table[:, [3, 6, 1, 4, 7, 0, 5, 2]],  # undoes the order in the lab's example
    "rows-for-columns": lambda table: table[order_of(table)],
}
