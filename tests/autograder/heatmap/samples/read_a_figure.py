"""Lab 02, heatmap: right and wrong answers to `read_a_figure`."""

import numpy as np

from autograder.samples import Samples

ANSWERS = Samples()
right = ANSWERS.sample("read_a_figure")


@right
def flipped_and_transposed(picture):
    return picture[::-1].T


@right
def turned_by_a_quarter(picture):
    return np.rot90(picture, -1)


@right
def transposed_and_mirrored(picture):
    return picture.T[:, ::-1]


@right
def by_flipud(picture):
    return np.transpose(np.flipud(picture))


@right
def cell_by_cell(picture):
    dimensions, positions = picture.shape
    table = np.empty((positions, dimensions))
    for p in range(positions):
        for i in range(dimensions):
            table[p, i] = picture[dimensions - 1 - i, p]
    return table


@right
def columns_stacked(picture):
    return np.column_stack([row for row in picture][::-1])


@right
def as_an_array_of_lists(picture):
    return np.array([[float(row[p]) for row in reversed(picture)] for p in range(picture.shape[1])])


@right
def by_swapaxes(picture):
    return np.swapaxes(picture, 0, 1)[:, ::-1].copy()


@right
def by_indices(picture):
    dimensions, positions = picture.shape
    return picture[np.arange(dimensions)[::-1][None, :], np.arange(positions)[:, None]]


@ANSWERS.sample("read_a_figure", "origin-flipped")
def mirrored_the_wrong_way_twice(picture):
    return np.rot90(picture, -1)[:, ::-1]


@ANSWERS.sample("read_a_figure", "rows-reversed")
def turned_the_other_way(picture):
    return np.rot90(picture)[:, ::-1]


@ANSWERS.sample("read_a_figure", "rows-reversed")
def turned_and_upside_down(picture):
    return np.rot90(picture)


@ANSWERS.sample("read_a_figure", "axes-swapped")
def by_half_a_turn(picture):
    return np.rot90(picture, 2)


@ANSWERS.sample("read_a_figure", "picture-ignored")
def the_table_of_as_many_dimensions(picture):
    d, T = picture.shape
    angles = np.arange(T)[:, None] * 10_000.0 ** (-2 * (np.arange(d) // 2) / d)
    return np.where(np.arange(d) % 2, np.cos(angles), np.sin(angles))


@ANSWERS.sample("read_a_figure", "unknown")
def the_picture_of_the_lab(picture):
    angles = np.arange(30)[:, None] * 10_000.0 ** (-2 * (np.arange(6) // 2) / 128)
    return np.where(np.arange(6) % 2, np.cos(angles), np.sin(angles))


@ANSWERS.sample("read_a_figure", "unknown")
def a_list(picture):
    return picture[::-1].T.tolist()


@ANSWERS.sample("read_a_figure", "dimension-lost")
def one_row_short(picture):
    return picture[:0:-1].T


@ANSWERS.sample("read_a_figure", "unknown")
def colours_in_place_of_values(picture):
    return np.sign(picture[::-1].T)


@ANSWERS.sample("read_a_figure", "wrong-stack-axis")
def turned_over_and_reshaped(picture):
    dimensions, positions = picture.shape
    return np.flipud(picture).reshape(positions, dimensions)


@ANSWERS.sample("read_a_figure", "wrong-stack-axis")
def reshaped_and_mirrored(picture):
    return picture.reshape(-1, len(picture))[:, ::-1]


@ANSWERS.sample("read_a_figure", "wrong-stack-axis")
def flattened_and_cut_into_rows(picture):
    return np.resize(picture[::-1].flatten(), (picture.shape[1], picture.shape[0]))


@right
def reshaped_in_the_other_order(picture):
    """The order of Fortran on both sides of a transposition that C's order undoes."""
    return picture[::-1].ravel(order="F").reshape(picture.shape[::-1])


@right
def by_einsum(picture):
    return np.einsum("dp->pd", picture[::-1])


@right
def by_moveaxis(picture):
    return np.moveaxis(picture[::-1], 0, -1)


@ANSWERS.sample("read_a_figure", "unknown")
def entries_in_order_of_size(picture):
    return np.sort(picture, axis=None).reshape(picture.shape[::-1])


@ANSWERS.sample("read_a_figure", "unseen")
def divided_by_the_largest(picture):
    return (picture / np.abs(picture).max())[::-1].T


@ANSWERS.sample("read_a_figure", "unseen")
def clipped_to_one(picture):
    return np.clip(picture, -1, 1)[::-1].T


@ANSWERS.sample("read_a_figure", "unseen")
def of_the_labs_size_at_most(picture):
    return picture[::-1].T[:64, :32]
