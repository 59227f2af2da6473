"""Lab 02, heatmap: right and wrong answers to `read_a_figure`."""

import numpy as np

from autograder.samples import Samples

ANSWERS = Samples()
ANSWERS.several(
    "read_a_figure",
    flipped_and_transposed=lambda picture: picture[::-1].T,
    turned_by_a_quarter=lambda picture: np.rot90(picture, -1),
    transposed_and_mirrored=lambda picture: picture.T[:, ::-1],
    by_flipud=lambda picture: np.transpose(np.flipud(picture)),
    columns_stacked=lambda picture: np.column_stack([row for row in picture][::-1]),
    as_an_array_of_lists=lambda picture: np.array(
        [[float(row[p]) for row in reversed(picture)] for p in range(picture.shape[1])]
    ),
    by_swapaxes=lambda picture: np.swapaxes(picture, 0, 1)[:, ::-1].copy(),
    by_indices=lambda picture: picture[np.arange(len(picture))[::-1][None, :], np.arange(picture.shape[1])[:, None]],
    reshaped_from_the_order_of_fortran=lambda picture: picture[::-1].ravel(order="F").reshape(picture.shape[::-1]),
    by_einsum=lambda picture: np.einsum("dp->pd", picture[::-1]),
    by_moveaxis=lambda picture: np.moveaxis(picture[::-1], 0, -1),
)


@ANSWERS.sample("read_a_figure")
def cell_by_cell(picture):
    dimensions, positions = picture.shape
    table = np.empty((positions, dimensions))
    for p in range(positions):
        for i in range(dimensions):
            table[p, i] = picture[dimensions - 1 - i, p]
    return table


@ANSWERS.sample("read_a_figure", "unknown")
def the_picture_of_the_lab(picture):
    angles = np.arange(30)[:, None] * 10_000.0 ** (-2 * (np.arange(6) // 2) / 128)
    return np.where(np.arange(6) % 2, np.cos(angles), np.sin(angles))


for mistake, style, answer in (
    ("origin-flipped", "mirrored_the_wrong_way_twice", lambda picture: np.rot90(picture, -1)[:, ::-1]),
    ("rows-reversed", "turned_the_other_way", lambda picture: np.rot90(picture)[:, ::-1]),
    ("rows-reversed", "turned_and_upside_down", np.rot90),
    ("axes-swapped", "by_half_a_turn", lambda picture: np.rot90(picture, 2)),
    ("dimension-lost", "one_row_short", lambda picture: picture[:0:-1].T),
    ("wrong-stack-axis", "reshaped_and_mirrored", lambda picture: picture.reshape(-1, len(picture))[:, ::-1]),
    ("wrong-stack-axis", "flattened_and_cut", lambda picture: np.resize(picture[::-1].flatten(), picture.T.shape)),
    ("low-precision", "rounded_to_two_decimals", lambda picture: np.round(picture[::-1].T, 2)),
    ("low-precision", "rounded_to_four_decimals", lambda picture: np.round(picture[::-1].T, 4)),
    ("low-precision", "in_float16", lambda picture: picture[::-1].T.astype(np.float16)),
    ("unknown", "a_list", lambda picture: picture[::-1].T.tolist()),
    ("unknown", "colours_in_place_of_values", lambda picture: np.sign(picture[::-1].T)),
    ("unknown", "entries_in_order_of_size", lambda picture: np.sort(picture, axis=None).reshape(picture.T.shape)),
    ("unseen", "divided_by_the_largest", lambda picture: (picture / np.abs(picture).max())[::-1].T),
    ("unseen", "clipped_to_one", lambda picture: np.clip(picture, -1, 1)[::-1].T),
    ("unseen", "of_the_labs_size_at_most", lambda picture: picture[::-1].T[:64, :32]),
):
    ANSWERS.several("read_a_figure", mistake, **{style: answer})
