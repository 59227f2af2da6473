"""Lab 08, a head that learns to look back: right and wrong answers to `read_head`."""

import numpy as np

from autograder.samples import Samples, omega_of
from minimodel.positional.sinusoidal import sinusoidal_pe

ANSWERS = Samples()


def scores(m, T=64):
    pe = sinusoidal_pe(T, len(m))
    return pe @ m @ pe.T


@ANSWERS.sample("read_head")
def the_median_of_many_rows(m):
    middle = np.arange(16, 48)
    return round(np.median(middle - scores(m)[middle].argmax(axis=1)))


@ANSWERS.sample("read_head")
def one_row_in_the_smallest_text(m):
    return 12 - np.argmax(scores(m, 25)[12])


@ANSWERS.sample("read_head")
def the_angle_of_a_pair_that_turns_slowly(m):
    w = omega_of(len(m))
    k = int(np.argmax(12 * w < np.pi))
    a, b, c, d = m[2 * k : 2 * k + 2, 2 * k : 2 * k + 2].ravel()
    return float(np.round(np.arctan2(b - c, a + d) / w[k]))


@ANSWERS.sample("read_head", "sign-reversed")
def the_column_of_a_key(m):
    return 32 - int(scores(m)[:, 32].argmax())


@ANSWERS.sample("read_head", "sign-lost")
def the_distance(m):
    return abs(int(scores(m)[32].argmax()) - 32)


@ANSWERS.sample("read_head", "place-for-offset")
def the_place_itself(m):
    return int(scores(m)[32].argmax())


@ANSWERS.sample("read_head", "edge-row")
def the_first_row(m):
    return 0 - int(scores(m, 128)[0].argmax())


@ANSWERS.sample("read_head", "first-pair-alone")
def the_angle_of_the_first_block(m):
    return int(np.round(np.arctan2(m[0, 1], m[0, 0])))


@ANSWERS.sample("read_head", "dimensions-for-places")
def the_largest_entry_of_the_first_row_of_m(m):
    return 0 - max(range(len(m)), key=lambda column: m[0, column])


@ANSWERS.sample("read_head", "unknown")
def the_mean_of_all_rows(m):
    return round(np.mean(np.arange(64) - scores(m).argmax(axis=1)))


@ANSWERS.sample("read_head", "unknown")
def always_three(m):
    return 3


@ANSWERS.sample("read_head", "unseen")
def a_list_of_known_heads(m):
    return {32: 11, 16: -9, 24: -2}.get(len(m), 0)


@ANSWERS.sample("read_head", "edge-row")
def only_keys_before_the_query(m):
    return 30 - int(scores(m)[30, :31].argmax())


@ANSWERS.sample("read_head", "edge-row")
def only_keys_from_the_query_on(m):
    return -int(scores(m)[30, 30:].argmax())


@ANSWERS.sample("read_head", "dimensions-for-places")
def the_place_of_the_largest_entry(m):
    return int(abs(m).argmax())
