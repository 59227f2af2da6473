"""Lab 01, build the table: right and wrong answers to `unshuffle`."""

import numpy as np

from autograder.samples import UNKNOWN, Samples

ANSWERS = Samples()
right = ANSWERS.sample("unshuffle")
wrong = ANSWERS.sample("unshuffle", UNKNOWN)


@right
def by_rows_0_and_1(table):
    sines, cosines = np.flatnonzero(table[0] < 0.5), np.flatnonzero(table[0] > 0.5)
    order = np.empty(table.shape[1], int)
    order[::2], order[1::2] = sines[np.argsort(-table[1, sines])], cosines[np.argsort(table[1, cosines])]
    return table[:, order]


@right
def by_python_sorting(table):
    columns = [list(map(float, column)) for column in table.T]
    sines = sorted((each for each in columns if each[0] == 0), key=lambda each: each[1], reverse=True)
    cosines = sorted((each for each in columns if each[0] == 1), key=lambda each: each[1])
    return np.array([column for pair in zip(sines, cosines) for column in pair]).T


@right
def by_lexsort(table):
    """Sort columns: in row 1, sines fall and cosines rise from the fastest pair to the slowest."""
    half = table.shape[1] // 2
    order = np.lexsort((np.where(table[0] < 0.5, -table[1], table[1]), table[0]))
    return np.ascontiguousarray(table[:, order.reshape(2, half).T.ravel()])


@right
def made_again_from_the_angles_of_position_1(table):
    omega = np.sort(np.arcsin(table[1, table[0] == 0].astype(np.float64)))[::-1]
    angles = np.arange(len(table))[:, None] * omega
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(table.shape)


@right
def into_the_same_array(table):
    table[:] = by_lexsort(table)
    return table


@ANSWERS.sample("unshuffle", "swapped-sin-cos")
def cosines_first_by_a_list(table):
    sorted_columns = by_python_sorting(table)
    return np.array([[row[i ^ 1] for i in range(len(row))] for row in sorted_columns.tolist()], np.float32)


@ANSWERS.sample("unshuffle", "pairs-apart")
def both_by_falling_row_1(table):
    order = np.empty(table.shape[1], int)
    for first, value in enumerate((0, 1)):
        columns = [i for i in range(table.shape[1]) if round(float(table[0, i])) == value]
        order[first::2] = sorted(columns, key=lambda i: -table[1, i])
    return table[:, order]


@ANSWERS.sample("unshuffle", "wrong-base")
def rebuilt_with_the_base_of_the_lab(table):
    T, d = table.shape
    k = np.arange(d // 2, dtype=np.float32)
    angles = np.arange(T, dtype=np.float32)[:, None] * np.float32(10000) ** (-2 * k / np.float32(d))
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(T, d)


@wrong
def by_the_largest_step(table):
    """Put partners next to each other, but often in the wrong order."""
    return table[:, np.argsort(-np.abs(np.diff(table, axis=0)).max(axis=0))]


@ANSWERS.sample("unshuffle", "hard-coded-order")
def the_inverse_of_the_order_in_the_lab(table):
    return table[:, np.argsort([5, 2, 7, 0, 3, 6, 1, 4])]


@wrong
def alike_columns_beside_each_other(table):
    order, left = [0], set(range(1, table.shape[1]))
    while left:
        order.append(max(left, key=lambda i: float(table[:, order[-1]] @ table[:, i])))
        left.remove(order[-1])
    return table[:, order]


@wrong
def rows_sorted(table):
    return np.sort(table, axis=1)


@wrong
def nothing_returned(table):
    by_rows_0_and_1(table)


@ANSWERS.sample("unshuffle", "swapped-sin-cos", "frequencies-reversed")
def cosines_first_and_slow_pairs_first(table):
    sines, cosines = np.flatnonzero(table[0] < 0.5), np.flatnonzero(table[0] > 0.5)
    order = np.empty(table.shape[1], int)
    order[::2], order[1::2] = cosines[np.argsort(-table[1, cosines])], sines[np.argsort(table[1, sines])]
    return table[:, order]


@ANSWERS.sample("unshuffle", "halves-layout", "unsorted")
def sines_and_then_cosines_as_they_came(table):
    return np.hstack([table[:, table[0] == 0], table[:, table[0] == 1]])
