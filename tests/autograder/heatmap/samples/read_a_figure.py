"""Lab 02, heatmap: right and wrong answers to `read_a_figure`."""

import numpy as np

from autograder.samples import Samples

ANSWERS = Samples()
ANSWERS.several(
    "read_a_figure",
    flipped_and_transposed=lambda picture: picture[::-1].T,
    as_an_array_of_lists=lambda picture: np.array(
        [[float(row[p]) for row in reversed(picture)] for p in range(picture.shape[1])]
    ),
)


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
