"""Lab 06, order for attention: right and wrong answers to `add_positions`."""

import numpy as np

from autograder.samples import Samples, omega_of
from minimodel.positional.sinusoidal import sinusoidal_pe

ANSWERS = Samples()


@ANSWERS.sample("add_positions")
def in_one_line(embeddings, scale):
    return scale * embeddings + sinusoidal_pe(*embeddings.shape)


@ANSWERS.sample("add_positions")
def in_float64(embeddings, scale):
    return scale * embeddings.astype(np.float64) + sinusoidal_pe(*embeddings.shape).astype(np.float64)


@ANSWERS.sample("add_positions")
def a_table_of_its_own(embeddings, scale):
    T, d = embeddings.shape
    angle = np.outer(np.arange(T), omega_of(d))
    out = scale * np.array(embeddings, dtype=float)
    out[:, 0::2] += np.sin(angle)
    out[:, 1::2] += np.cos(angle)
    return out


@ANSWERS.sample("add_positions", "scale-squared")
def scaled_twice(embeddings, scale):
    embeddings = scale * embeddings
    return scale * embeddings + sinusoidal_pe(*embeddings.shape)


@ANSWERS.sample("add_positions", "exponent-k-over-d")
def another_base(embeddings, scale):
    return scale * embeddings + sinusoidal_pe(*embeddings.shape, base=100.0)


@ANSWERS.sample("add_positions", "unknown")
def rows_and_columns_exchanged(embeddings, scale):
    T, d = embeddings.shape
    return scale * embeddings + sinusoidal_pe(d, 2 * T)[:, :T].T


@ANSWERS.sample("add_positions", "input-overwritten")
def the_words_scaled_in_place(embeddings, scale):
    embeddings *= scale
    return embeddings + sinusoidal_pe(*embeddings.shape)


@ANSWERS.sample("add_positions", "unseen")
def a_table_of_512_rows(embeddings, scale):
    return scale * embeddings + sinusoidal_pe(512, embeddings.shape[1])[: len(embeddings)]


@ANSWERS.sample("add_positions", "unseen")
def every_position_from_500_on_the_same(embeddings, scale):
    table = sinusoidal_pe(501, embeddings.shape[1])
    return scale * embeddings + table[np.minimum(np.arange(len(embeddings)), 500)]


@ANSWERS.sample("add_positions", "swapped-sin-cos")
def cosines_in_the_even_columns(embeddings, scale):
    out = scale * embeddings.astype(np.float32)
    angle = np.outer(np.arange(len(out)), omega_of(out.shape[1]))
    out[:, 0::2] += np.cos(angle)
    out[:, 1::2] += np.sin(angle)
    return out


@ANSWERS.sample("add_positions", "halves-layout")
def sines_first_entry_by_entry(embeddings, scale):
    T, d = embeddings.shape
    out = scale * embeddings
    for p in range(T):
        for k in range(d // 2):
            angle = p / 10000 ** (2 * k / d)
            out[p, k] += np.sin(angle)
            out[p, d // 2 + k] += np.cos(angle)
    return out


@ANSWERS.sample("add_positions", "positions-from-one")
def counted_from_one_row_by_row(embeddings, scale):
    table = sinusoidal_pe(len(embeddings) + 1, embeddings.shape[1])
    return np.array([scale * row + table[p] for p, row in enumerate(embeddings, start=1)])


@ANSWERS.sample("add_positions", "concatenated")
def each_row_made_longer(embeddings, scale):
    table = sinusoidal_pe(*embeddings.shape)
    return np.array([[*(scale * row), *place] for row, place in zip(embeddings, table)])


@ANSWERS.sample("add_positions", "scale-forgotten", "positions-from-one")
def counted_from_one_without_the_scale(embeddings, scale):
    return embeddings + sinusoidal_pe(len(embeddings) + 1, embeddings.shape[1])[1:]


@ANSWERS.sample("add_positions", "scale-of-its-own", "one-row-for-all")
def one_row_and_the_usual_scale(embeddings, scale):
    return embeddings * embeddings.shape[1] ** 0.5 + sinusoidal_pe(*embeddings.shape)[0]


@ANSWERS.sample("add_positions", "sum-halved")
def the_mean_of_both(embeddings, scale):
    return np.mean([scale * embeddings, sinusoidal_pe(*embeddings.shape)], axis=0)


@ANSWERS.sample("add_positions", "low-precision")
def rounded_to_three_decimals(embeddings, scale):
    return (scale * embeddings + sinusoidal_pe(*embeddings.shape)).round(3)
