"""Test the claims of lab 04 in float64. Each docstring has a cell's id in brackets, then a claim in that cell, quoted or summed up."""

import matplotlib.pyplot as plt
import numpy as np
from lab_words import alt_of

from autograder.dot_product_decay.reference import (
    closed_form,
    exact,
    frequencies,
    grid_similarity,
    landmarks,
    offset_only,
)
from encoding_labs.dot_product_decay import figures, guesses, tables
from encoding_labs.tables import Table

WITHIN_64 = closed_form(np.arange(64), 32)


def mean_cosine(offsets, d):
    return closed_form(offsets, d) / (d / 2)


def test_the_sum_is_largest_at_offset_0():
    """[closed_form_task] The sum S is d/2 at offset 0 and smaller at all other offsets up to 10,000, for d = 4, 8, 16, 32, 128 and 512."""
    for d in (4, 8, 16, 32, 128, 512):
        total = closed_form(np.arange(10_001), d)
        assert total[0] == d / 2 > total[1:].max()


def test_only_the_offset_counts():
    """[closed_form_task] At d = 32, PE(p) . PE(q) = S(p - q) for all positions below 64, to within 1e-13."""
    table = exact(Table(64, 32).build())
    offsets = np.subtract.outer(np.arange(64), np.arange(64))
    assert np.abs(table @ table.T - closed_form(offsets.ravel(), 32).reshape(64, 64)).max() < 1e-13


def test_the_right_picture_has_one_value_on_each_diagonal():
    """[predict_both] Picture C shows the dot products of 64 rows with each other, at d = 32. They depend on p - q; in A and B they don't."""
    assert guesses.PICTURE.right == "C" and list(guesses.ROW_0) == WITHIN_64.round(1).tolist()
    constant = {}
    for letter, draw in guesses.PICTURE.draw.items():
        values = values_of(draw)
        constant[letter] = max(np.ptp(np.diagonal(values, offset)) for offset in range(64)) < 0.1
    table = exact(Table(64, 32).build())
    assert constant == {"A": False, "B": False, "C": True, "D": False}
    assert np.abs(values_of(guesses.PICTURE.draw["C"]) - table @ table.T).max() < 0.06


def values_of(draw):
    """The values of a small picture."""
    figure, ax = plt.subplots()
    draw(ax)
    plt.close(figure)
    return np.asarray(ax.images[0].get_array())


def test_random_rows_are_nearly_orthogonal():
    """[see_anchors] At d = 32, random vectors as long as the table's rows have dot products with one another between about -10 and 10."""
    rows = np.random.default_rng(0).normal(size=(64, 32))
    products = (rows * 4 / np.linalg.norm(rows, axis=1, keepdims=True)) @ (rows[0] * 4 / np.linalg.norm(rows[0]))
    assert abs(products[1:].mean()) < 1 and np.abs(products[1:]).max() < 10


def test_the_fall_to_offset_3():
    """[see_both_text] At d = 16 the sum falls from offset 0 to 3 and then rises."""
    total = closed_form(np.arange(7), 16)
    assert (np.diff(total[:4]) < 0).all() and (np.diff(total[3:]) > 0).all()


def test_the_smallest_sum_within_63_positions():
    """[see_steps] At T = 64, d = 32, the smallest sum is 5.31, at offset 48. At offset 63 it is 8.85."""
    assert WITHIN_64.min().round(2) == 5.31 and WITHIN_64.argmin() == 48 and WITHIN_64[63].round(2) == 8.85
    assert "smallest value, 5.31, is at offset 48" in guesses.RISES.why and "back at 8.85" in guesses.RISES.why


def test_slow_pairs_hardly_turn():
    """[see_steps] The six slowest of the 16 pairs turn by less than 0.2 radians in 63 positions, so each contributes more than 0.98 to the sum."""
    angles = 63 * frequencies(32)
    assert (angles < 0.2).sum() == 6 and np.cos(angles[-6:]).min() > 0.98


def test_how_many_steps_rise():
    """[quiz] At T = 64, d = 32, the sum rises in 29 of the 63 steps, first from offset 4 to 5."""
    rises = np.flatnonzero(np.diff(WITHIN_64) > 0)
    assert rises.size == guesses.RISES.value == 29 and rises[0] == 4


def test_both_landmarks_at_d_32():
    """[reveal_crossing] At d = 32 the first low is at offset 4 and the first crossing at 474."""
    assert landmarks(32) == [4, 474] and guesses.CROSSING.value == 474


def test_both_landmarks_are_below_4000():
    """[landmarks_task] For every even d from 4 to 512 both landmarks are below 4,000."""
    for d in range(4, 513, 2):
        total = closed_form(np.arange(4_000), d)
        assert (np.diff(total) > 0).any() and (total <= 0).any()


def test_the_fastest_pair_makes_the_first_low():
    """[reveal_crossing] From offset 4 to 5 the fastest pair's term rises by 0.94, and all the others together fall by 0.82."""
    fastest = np.cos(5) - np.cos(4)
    assert round(fastest, 2) == 0.94 and round(WITHIN_64[5] - WITHIN_64[4] - fastest, 2) == -0.82


def test_rounding_errors_that_remain():
    """[see_spreads] At T = 64, d = 32, the spreads along diagonals are below 0.0001 in float32 and below 1e-12 in float64."""
    single, double = (offset_spread(table) for table in (Table(64, 32).build(), tables.in_float64(64, 32)))
    assert 0 < single < 1e-4 and 0 < double < 1e-12
    assert "below 0.001 for the locked float32 table, below 0.001 for" in alt_of(figures.spreads, offset_only)


def offset_spread(table):
    """The largest spread along a diagonal of the table's Gram matrix."""
    gram = table @ table.T
    return max(np.ptp(np.diagonal(gram, offset)) for offset in range(len(table)))


def test_rounding_errors_are_far_smaller_in_float64():
    """[quiz] At T = 64, d = 32, the spreads along diagonals are hundreds of millions of times smaller in float64 than in float32."""
    single, double = (offset_spread(table) for table in (Table(64, 32).build(), tables.in_float64(64, 32)))
    assert 1e8 < single / double < 1e9


def test_a_spoiled_row_shows_up_to_offset_43():
    """[see_spreads] If row 20 of 64 is overwritten, the spread is 0 at offset 0 and at offsets above 43. At offsets 1 to 43 it is up to 3."""
    spread = offset_only(tables.spoiled(64, 32, 20))
    assert spread[0] == 0 and spread[44:].max() < 1e-9 and spread[1:44].min() > 0.05 and 3 < spread.max() < 3.1


def test_the_starts():
    """[see_far_text] At d = 32, 128 and 512, the curves start between 0.957 and 0.973 of their maximum, at offset 1."""
    starts = [float(mean_cosine([1], d)[0]) for d in (32, 128, 512)]
    assert round(min(starts), 3) == 0.957 and round(max(starts), 3) == 0.973


def test_how_closely_curves_follow_the_trend():
    """[see_far] Between offsets 10 and 1,000, the curve for d = 512 stays within 0.055 of the trend. For d = 32 it is up to 0.39 away."""
    offsets = np.arange(10, 1_001)
    trend = 1 - (np.log(offsets) + 0.577) / np.log(10_000)
    off = {d: np.abs(mean_cosine(offsets, d) - trend).max() for d in (32, 512)}
    assert 0.05 < off[512] < 0.055 and round(off[32], 2) == 0.39


def test_where_the_trend_ends():
    """[see_far] The trend reaches 0 at an offset of about 5,600, later than the curves' first crossings at 474, 1,707 and 3,284."""
    assert guesses.TREND.value == 5_600
    assert abs(10_000 / np.exp(0.577) - 5_600) < 50
    assert [landmarks(d)[1] for d in (32, 128, 512)] == [474, 1_707, 3_284]


def test_the_figure_tells_the_first_crossings():
    """[see_far] The curves first cross 0 at offsets 474 (d = 32), 1,707 (d = 128) and 3,284 (d = 512). The trend falls from 0.76 at offset 5 to 0.07 at 3,000."""
    told = alt_of(figures.far, closed_form, landmarks)
    trend = 1 - (np.log([5, 3_000]) + 0.577) / np.log(10_000)
    assert trend.round(2).tolist() == [0.76, 0.07]
    assert ", ".join(f"{landmarks(d)[1]:,} at d = {d}" for d in (32, 128, 512)) in told
    assert "474 at d = 32, 1,707 at d = 128, 3,284 at d = 512" in told


def test_a_quarter_for_each_factor_of_10():
    """[see_far_text] Each time the offset grows by a factor of 10, the trend falls by a quarter of the full height."""
    assert abs(np.log(10) / np.log(10_000) - 0.25) < 1e-15


def test_far_out_it_swings_about_0():
    """[see_far] At d = 32, between offsets 100,000 and 1,000,000, the curve's mean is within 0.01 of 0 and its root mean square is 0.18."""
    late = np.concatenate(
        [mean_cosine(np.arange(low, low + 100_000), 32) for low in range(100_000, 1_000_000, 100_000)]
    )
    assert abs(late.mean()) < 0.01 and abs(np.sqrt((late**2).mean()) - 0.18) < 0.005


def test_the_numbers_of_the_written_answer():
    """[is_it_monotone] At T = 256, d = 64, the sum rises in 111 of 255 steps, first from offset 5 to 6. The smallest sum is 5.28, at offset 229. The sum first crosses 0 at offset 725."""
    total = closed_form(np.arange(256), 64)
    rises = np.flatnonzero(np.diff(total) > 0)
    assert rises.size == 111 and rises[0] == 5
    assert total.min().round(2) == 5.28 and total.argmin() == 229 and landmarks(64)[1] == 725
    assert (closed_form(np.arange(726, 2_000), 64) > 0).any()


def test_patches_on_a_grid():
    """[grid_similarity_task] The dot product of two patches depends only on dx and dy: it is the closed form of dx plus the closed form of dy, each for d/2 dimensions."""
    half = exact(Table(40, 16).build())
    for (x, y), (dx, dy) in (((20, 20), (3, 8)), ((5, 30), (-5, 2)), ((39, 0), (-39, 39)), ((11, 7), (0, -7))):
        here, there = (np.concatenate([half[column], half[row]]) for column, row in ((x, y), (x + dx, y + dy)))
        assert abs(here @ there - grid_similarity(dx, dy, 32)) < 1e-12


def test_the_spoiled_row_has_no_partner_beyond_43():
    """[see_spreads_text] No row is more than 43 positions from row 20 of 64. The overwritten row's dot product with itself is still d/2 = 16."""
    table = exact(tables.spoiled(64, 32, 20))
    assert 20 + 43 == 63 and round(table[20] @ table[20], 9) == 16


def test_each_pair_turns_by_its_own_angle():
    """[cheat_sheet] Row p is row q with pair k turned by (p - q) times omega_k."""
    hands = (table := exact(Table(64, 32).build()))[:, 1::2] + 1j * table[:, 0::2]
    for p, q in ((63, 0), (20, 45)):
        assert np.abs(hands[p] - hands[q] * np.exp(1j * (p - q) * frequencies(32))).max() < 1e-13


def test_the_sums_on_the_cheat_sheet():
    """[cheat_sheet] At d = 32, S is 16, 15.31, 13.73, 11.66 and 8.85 at offsets 0, 1, 2, 4 and 63."""
    assert closed_form(np.array([0, 1, 2, 4, 63]), 32).round(2).tolist() == [16, 15.31, 13.73, 11.66, 8.85]


def test_rows_nearer_than_the_adjacent_one():
    """[stretch] Up to offset 1,000, some rows at d = 8 are nearer than the adjacent one, first at offset 6. At d = 32 there are none."""
    eight, thirty_two = (closed_form(np.arange(1_001), d) for d in (8, 32))
    assert np.flatnonzero(eight[2:] > eight[1])[0] + 2 == 6 and thirty_two[2:].max() < thirty_two[1]
