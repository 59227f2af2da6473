"""Lab 06, order for attention: right and wrong answers to `add_positions`."""

import numpy as np

from autograder.samples import Samples
from minimodel.positional.sinusoidal import sinusoidal_pe

from . import omega

ANSWERS = Samples()


@ANSWERS.sample("add_positions")
def in_one_line(embeddings, scale):
    return scale * embeddings + sinusoidal_pe(*embeddings.shape)


@ANSWERS.sample("add_positions")
def in_two_lines(embeddings, scale):
    T, d = embeddings.shape
    return np.add(sinusoidal_pe(T, d), np.multiply(scale, embeddings))


@ANSWERS.sample("add_positions")
def in_float64(embeddings, scale):
    return scale * embeddings.astype(np.float64) + sinusoidal_pe(*embeddings.shape).astype(np.float64)


@ANSWERS.sample("add_positions")
def in_float32(embeddings, scale):
    return (np.float32(scale) * embeddings + sinusoidal_pe(*embeddings.shape)).astype(np.float32)


@ANSWERS.sample("add_positions")
def row_by_row(embeddings, scale):
    table = sinusoidal_pe(len(embeddings), embeddings.shape[1])
    return np.array([scale * row + table[p] for p, row in enumerate(embeddings)])


@ANSWERS.sample("add_positions")
def a_table_longer_than_needed(embeddings, scale):
    table = sinusoidal_pe(len(embeddings) + 100, embeddings.shape[1])
    return embeddings * scale + table[: len(embeddings)]


@ANSWERS.sample("add_positions")
def a_table_of_its_own(embeddings, scale):
    T, d = embeddings.shape
    angle = np.outer(np.arange(T), omega(d))
    out = scale * np.array(embeddings, dtype=float)
    out[:, 0::2] += np.sin(angle)
    out[:, 1::2] += np.cos(angle)
    return out


@ANSWERS.sample("add_positions")
def in_place_on_a_copy(embeddings, scale):
    out = embeddings.copy()
    out *= scale
    out += sinusoidal_pe(*out.shape)
    return out


@ANSWERS.sample("add_positions")
def one_matrix_product(embeddings, scale):
    both = np.stack([embeddings, sinusoidal_pe(*embeddings.shape)])
    return np.tensordot([scale, 1.0], both, axes=1)


@ANSWERS.sample("add_positions", "scale-forgotten")
def added_as_they_are(embeddings, scale):
    return embeddings + sinusoidal_pe(*embeddings.shape)


@ANSWERS.sample("add_positions", "scale-squared")
def scaled_twice(embeddings, scale):
    embeddings = scale * embeddings
    return scale * embeddings + sinusoidal_pe(*embeddings.shape)


@ANSWERS.sample("add_positions", "scaled-table")
def the_table_scaled(embeddings, scale):
    return embeddings + scale * sinusoidal_pe(*embeddings.shape)


@ANSWERS.sample("add_positions", "scaled-sum")
def the_sum_scaled(embeddings, scale):
    return scale * (embeddings + sinusoidal_pe(*embeddings.shape))


@ANSWERS.sample("add_positions", "scale-divides")
def divided_by_the_scale(embeddings, scale):
    return embeddings / scale + sinusoidal_pe(*embeddings.shape)


@ANSWERS.sample("add_positions", "scale-of-its-own")
def always_the_root_of_d(embeddings, scale):
    return np.sqrt(embeddings.shape[1]) * embeddings + sinusoidal_pe(*embeddings.shape)


@ANSWERS.sample("add_positions", "concatenated")
def side_by_side(embeddings, scale):
    return np.concatenate([scale * embeddings, sinusoidal_pe(*embeddings.shape)], axis=1)


@ANSWERS.sample("add_positions", "concatenated")
def one_below_the_other(embeddings, scale):
    return np.concatenate([scale * embeddings, sinusoidal_pe(*embeddings.shape)])


@ANSWERS.sample("add_positions", "positions-missing")
def words_alone(embeddings, scale):
    return scale * embeddings


@ANSWERS.sample("add_positions", "words-missing")
def positions_alone(embeddings, scale):
    return sinusoidal_pe(*embeddings.shape)


@ANSWERS.sample("add_positions", "table-subtracted")
def taken_away(embeddings, scale):
    return scale * embeddings - sinusoidal_pe(*embeddings.shape)


@ANSWERS.sample("add_positions", "positions-from-one")
def the_first_word_at_position_one(embeddings, scale):
    T, d = embeddings.shape
    return scale * embeddings + sinusoidal_pe(T + 1, d)[1:]


@ANSWERS.sample("add_positions", "unknown")
def multiplied(embeddings, scale):
    return scale * embeddings * sinusoidal_pe(*embeddings.shape)


@ANSWERS.sample("add_positions", "unknown")
def the_root_of_the_scale(embeddings, scale):
    return np.sqrt(scale) * embeddings + sinusoidal_pe(*embeddings.shape)


@ANSWERS.sample("add_positions", "unknown")
def the_same_row_for_all(embeddings, scale):
    return scale * embeddings + sinusoidal_pe(*embeddings.shape)[-1]


@ANSWERS.sample("add_positions", "unknown")
def the_table_upside_down(embeddings, scale):
    return scale * embeddings + sinusoidal_pe(*embeddings.shape)[::-1]


@ANSWERS.sample("add_positions", "unknown")
def another_base(embeddings, scale):
    return scale * embeddings + sinusoidal_pe(*embeddings.shape, base=100.0)


@ANSWERS.sample("add_positions", "unknown")
def lengths_brought_to_one_first(embeddings, scale):
    out = scale * embeddings + sinusoidal_pe(*embeddings.shape)
    return out / np.linalg.norm(out, axis=1, keepdims=True)


@ANSWERS.sample("add_positions", "unknown")
def rows_and_columns_exchanged(embeddings, scale):
    T, d = embeddings.shape
    return scale * embeddings + sinusoidal_pe(d, 2 * T)[:, :T].T


@ANSWERS.sample("add_positions", "input-overwritten")
def the_words_scaled_in_place(embeddings, scale):
    embeddings *= scale
    return embeddings + sinusoidal_pe(*embeddings.shape)


@ANSWERS.sample("add_positions", "input-overwritten")
def the_table_added_in_place(embeddings, scale):
    embeddings *= scale
    embeddings += sinusoidal_pe(*embeddings.shape)
    return embeddings


@ANSWERS.sample("add_positions", "unseen")
def a_table_of_512_rows(embeddings, scale):
    return scale * embeddings + sinusoidal_pe(512, embeddings.shape[1])[: len(embeddings)]


@ANSWERS.sample("add_positions", "unseen")
def every_position_from_500_on_the_same(embeddings, scale):
    table = sinusoidal_pe(501, embeddings.shape[1])
    return scale * embeddings + table[np.minimum(np.arange(len(embeddings)), 500)]
