"""Test the claims of lab 01 in float64. Each docstring has a cell's id in brackets, then a claim in that cell, quoted or summed up."""

import random

import matplotlib.pyplot as plt
import numpy as np
import pytest
from lab_words import alt_of, words_of

from autograder.build_the_table import reference
from encoding_labs.build_the_table import figures, guesses, questions, sentences
from encoding_labs.build_the_table.counted import MISTAKES
from encoding_labs.build_the_table.gallery import gallery


def test_four_clocks_each_ten_times_slower():
    """[clock_text] At d = 8 the first clock turns by 1 radian per position, and each later clock is ten times slower than the one before it."""
    np.testing.assert_allclose(reference.frequencies(8), [1, 0.1, 0.01, 0.001])
    np.testing.assert_array_equal(reference.sinusoidal_pe(1, 8)[0], [0, 1] * 4)  # every hand starts at 12


def attend(x, place):
    weights = np.exp(x @ x[place])
    return weights @ x / weights.sum()


def results(table=None):
    return [sentences._results(attend, sentence, table) for sentence in sentences.SENTENCES]


def test_order_is_not_seen_without_the_table():
    """[why_more] Without a mask, attention gives each word the same result in "dog bites man" and "man bites dog"."""
    one, other = results()
    assert all(np.allclose(one[word], other[word], atol=1e-15) for word in one)


def test_order_is_seen_with_the_table():
    """[see_order] With the position table added, each of the three words gets a different result in "dog bites man" than in "man bites dog"."""
    one, other = results(reference.sinusoidal_pe)
    assert min(np.abs(one[word] - other[word]).max() for word in one) > 0.1


def test_a_word_gets_the_same_result_only_without_positions():
    """[quiz] Without a mask, attention gives a word the same result wherever it is. With the position table added, the results differ."""
    first, table = questions.QUIZ[0], reference.sinusoidal_pe
    same = [np.allclose(*(each["dog"] for each in results(positions))) for positions in (None, table)]
    assert same == [True, False] and first.truth
    assert "Without a mask or positions" in first.text and "Adding the table changes that" in first.reason


def test_a_causal_mask_tells_the_sentences_apart():
    """[why_more] Under a causal mask the first token sees only itself, so "dog bites man" and "man bites dog" give different results."""
    one, other = (sentences.embedded(sentence) for sentence in sentences.SENTENCES)
    first, last = attend(one[:1], 0), attend(other, 2)  # dog, first in one sentence and last in the other
    assert np.allclose(first, one[0]) and np.abs(first - last).max() > 0.1


def test_entries_are_bounded():
    """[offers] Every entry of the position table is in [-1, 1]."""
    assert np.abs(reference.sinusoidal_pe(20_000, 32)).max() <= 1


def test_no_two_positions_have_the_same_row():
    """[offers] No two positions have the same row: the hand of the first clock alone never points in the same direction twice."""
    offsets = np.arange(1, 1_000_000, dtype=np.float64)
    assert (2 - 2 * np.cos(offsets)).min() > 0


def test_from_one_position_to_the_next_no_hand_moves_by_more_than_1_radian():
    """[offers] From one position to the next every hand moves by its own fixed angle, 1 radian or less."""
    for d in (2, 4, 8, 32, 512):
        assert reference.frequencies(d).max() == 1


def test_how_similar_neighbouring_rows_are():
    """[offers] The cosine of two neighbouring rows is 0.54 at d = 2 and 0.96 at d = 32. It grows with d."""
    cosines = {d: np.cos(reference.frequencies(d)).mean() for d in (2, 4, 8, 16, 32, 64, 128, 512)}
    for d in cosines:
        one, other = reference.sinusoidal_pe(41, d)[39:]
        assert np.isclose(one @ other / (d / 2), cosines[d])
    told = words_of("01_build_the_table", "offers")
    assert f"0.54 at $d=2$ and {cosines[32]:.2f} at $d=32$" in told and round(cosines[2], 2) == 0.54
    assert (np.diff([*cosines.values()]) > 0).all()


def test_three_positions_further_is_one_linear_map():
    """[offers] The same linear map takes the row of p to the row of p + 3 for every p."""
    table, omega = reference.sinusoidal_pe(1003, 32), reference.frequencies(32)
    sines, cosines = table[:-3, 0::2], table[:-3, 1::2]
    moved = [
        np.cos(3 * omega) * sines + np.sin(3 * omega) * cosines,
        np.cos(3 * omega) * cosines - np.sin(3 * omega) * sines,
    ]
    assert np.abs(np.stack(moved, -1).reshape(-1, 32) - table[3:]).max() < 1e-12


def test_the_first_rows_at_d_4():
    """[by_hand_task] At d = 4, PE(0) = (0, 1, 0, 1) and PE(1) = (0.8415, 0.5403, 0.0100, 1.0000), rounded to four decimals."""
    table = reference.sinusoidal_pe(2, 4)
    assert table[0].tolist() == [0, 1, 0, 1] and table[1].round(4).tolist() == [0.8415, 0.5403, 0.01, 1.0]


def test_frequencies_at_d_4_and_8():
    """[frequencies_task] The frequencies are 1 and 0.01 at d = 4, and 1, 0.1, 0.01 and 0.001 at d = 8."""
    assert np.allclose(reference.frequencies(4), [1, 0.01]) and np.allclose(
        reference.frequencies(8), [1, 0.1, 0.01, 0.001]
    )


@pytest.mark.parametrize(("d", "last"), [(8, 0.001), (16, 0.00032), (32, 0.00018)])
def test_frequencies_lie_on_straight_lines_that_start_at_1(d, last):
    """[see_frequencies] On a logarithmic axis, the frequencies for each d are on a straight line from 1 down to 0.001 (d = 8), 0.00032 (16) or 0.00018 (32)."""
    omega = reference.frequencies(d)
    assert omega[0] == 1 and np.allclose(np.diff(np.log(omega)), np.log(omega[1])) and float(f"{omega[-1]:.2g}") == last


def test_the_last_pair_and_the_limit():
    """[see_frequencies] At d = 32 the last pair (k = 15, exponent -30/32) needs 35,333 positions for a turn. The limit for large d is 62,832."""
    assert round(2 * np.pi / reference.frequencies(32)[-1]) == guesses.LAST_TURN.value
    turns = [2 * np.pi / reference.frequencies(d)[-1] for d in (32, 512, 100_000)]
    assert turns == sorted(turns) and turns[-1] < 62_832 and round(2 * np.pi * 10_000) == 62_832 and turns[-1] > 62_800


def test_float64_rounded_once_is_within_3e_8():
    """[sinusoidal_pe_task] If the table is computed in float64 and rounded to float32 at the end, its entries are off by less than 3e-8 up to position 1e6."""
    p = np.unique(np.geomspace(1, 1e6, 200_000).astype(np.int64))
    exact = p[:, None].astype(np.longdouble) * np.longdouble(10_000) ** (-2 * np.arange(16) / np.longdouble(32))
    angles = p[:, None] * reference.frequencies(32)
    errors = [np.abs(f(angles).astype(np.float32) - f(exact)).max() for f in (np.sin, np.cos)]
    assert max(errors) < 3e-8


def test_rows_0_to_2_show_the_fast_pair_and_the_slow_ones():
    """[see_counter_text] At d = 8 pair 0 turns by 1 radian per position, and the last pair by 0.001."""
    angles = np.arctan2(*reference.sinusoidal_pe(2, 8)[1].reshape(4, 2).T)
    assert np.allclose(angles[[0, 3]], [1, 0.001])


def test_by_position_12_only_the_first_clock_has_completed_a_turn():
    """[see_counter_text] At d = 8, only the first clock has completed a turn by position 12. Each clock is ten times slower than the one before it."""
    omega = reference.frequencies(8)
    assert (12 * omega >= 2 * np.pi).tolist() == [True, False, False, False] and np.allclose(omega[:-1] / omega[1:], 10)


def test_binary_digits_change_like_clocks():
    """[see_counter_text] When counting in binary, the last digit changes at every step and the one before it at every second step."""
    changes = [np.flatnonzero(np.diff(np.arange(17) // 2**digit % 2)) for digit in (0, 1)]
    assert np.array_equal(changes[0], np.arange(16)) and (np.diff(changes[1]) == 2).all()


def drawn_points(letter):
    """The points drawn in one of the four pictures that students choose from, shape (64, 2)."""
    figure, ax = plt.subplots()
    guesses.TWO_CLOCKS.draw[letter](ax)
    [points] = (line.get_xydata() for line in ax.lines if line.get_marker() == "o")
    plt.close(figure)
    return points


def test_columns_0_and_3_are_picture_d():
    """[see_points] At d = 8, picture D shows columns 0 and 3 of positions 0 to 63. The second clock makes one turn while the first makes ten."""
    table = reference.sinusoidal_pe(64, 8)
    np.testing.assert_allclose(drawn_points(guesses.TWO_CLOCKS.right), table[:, [0, 3]], atol=1e-12)
    assert (63 * reference.frequencies(8)[[1, 0]] // (2 * np.pi)).tolist() == [1, 10]


def test_how_pictures_a_b_and_c_are_made():
    """[see_points] Picture A shows columns 0 and 1. In B both columns have the same angle, but the sines are smaller. In C the first clock is exactly twice as fast as the second."""
    table, angle = reference.sinusoidal_pe(64, 8), np.arange(64)
    np.testing.assert_allclose(drawn_points("A"), table[:, [0, 1]], atol=1e-12)
    right, up = drawn_points("B").T
    np.testing.assert_allclose([right / np.abs(right).max(), up], [np.sin(angle), np.cos(angle)], atol=1e-3)
    assert np.abs(right).max() < 0.35
    right, up = drawn_points("C").T
    np.testing.assert_allclose(right**2, 4 * up**2 * (1 - up**2), atol=1e-12)  # a figure of eight


def test_the_points_of_one_clock_and_of_two():
    """[see_points] The points of columns 0 and 1 are on a circle. Those of columns 0 and 3 are 0.12 to 1.41 from the centre, all over the square."""
    table = reference.sinusoidal_pe(64, 8)
    np.testing.assert_allclose(np.hypot(table[:, 0], table[:, 1]), 1)
    assert "between 0.12 and 1.41" in alt_of(figures.points, reference.sinusoidal_pe)
    cells = {(right, up) for right, up in np.floor(np.clip(table[:, [0, 3]], -1, 0.999) * 2).astype(int)}
    assert len(cells) >= 15  # of 16 cells in a 4 x 4 grid


def test_four_of_the_eight_mistakes_are_shown():
    """[name_the_mistake_task] The lab shows four of the eight mistakes. The random tables used in grading have all eight."""
    assert set(reference.GALLERY.values()) < set(MISTAKES) and len(reference.GALLERY) == len(gallery()) == 4
    assert len(MISTAKES) == 8


def test_rows_0_and_1_tell_the_eight_mistakes_apart():
    """[name_the_mistake_task] Rows 0 and 1 are enough to distinguish the eight mistakes from one another and from the right table."""
    rows = [reference.wrong_table(name, 24, 16, left)[:2] for name in MISTAKES for left in (False, True)]
    apart = {row.round(3).tobytes() for row in rows} | {reference.sinusoidal_pe(2, 16).round(3).tobytes()}
    assert len(apart) == 8 + 1 + 1  # the eight mistakes, a variant of columns-unwritten, and the right table


def test_which_fraction_is_rounded_down():
    """[name_the_mistake_task] Rounded down, 2k/d is 0 for every pair, so all pairs turn alike. Rounding down -2k/d would give 0 for pair 0 only."""
    k = np.arange(8)
    hands = np.arange(24)[:, None] * 10000.0 ** -(2 * k // 16)
    np.testing.assert_array_equal(reference.wrong_table("integer-division", 24, 16), reference.interleave(hands))
    assert (-2 * k // 16).tolist() == [0] + 7 * [-1]


def test_each_table_of_the_gallery_has_a_different_mistake():
    """[see_gallery] The gallery has four tables of shape (24, 16), and each differs from the right one."""
    right = reference.sinusoidal_pe(24, 16)
    for table in reference.EXTRA["gallery"].values():
        assert table.shape == right.shape and np.abs(table - right).max() > 0.5


@pytest.mark.parametrize(("d", "lowest"), [(8, "0.001"), (32, "0.000178")])
def test_the_lowest_frequency(d, lowest):
    """[quiz] The lowest frequency is 10000^(-(d-2)/d): 0.001 at d = 8 and 0.000178 at d = 32."""
    assert f"{reference.frequencies(d)[-1]:.3g}" == lowest == f"{10_000 ** (-(d - 2) / d):.3g}"


def test_turns_of_the_slowest_pair():
    """[cheat_sheet] The slowest pair needs 6,283 positions for one turn at d = 8 and 60,611 at d = 512."""
    assert [round(2 * np.pi / reference.frequencies(d)[-1]) for d in (8, 512)] == [6283, 60_611]


def test_the_table_to_try_is_shuffled():
    """[unshuffle_task] In the lab's example, none of the eight columns is in its place, and the solution restores their order."""
    order = [5, 2, 7, 0, 3, 6, 1, 4]
    assert str(order) in words_of("01_build_the_table", "unshuffle_task")
    assert sorted(order) == [*range(8)] and all(i != column for i, column in enumerate(order))
    table = reference.sinusoidal_pe(40, 8)
    np.testing.assert_array_equal(reference.unshuffle(table[:, order]), table)


def test_rows_0_and_1_put_shuffled_columns_in_order():
    """[unshuffle_task] Rows 0 and 1 determine the order of the columns for bases from 20 to 1,000 and d from 6 to 16, even in float32."""
    draw = random.Random(1)
    for d in range(6, 18, 2):
        for base in (20, 1000, draw.uniform(20, 1000)):
            right = reference.shuffled(32, d, base, range(d))
            np.testing.assert_array_equal(reference.unshuffle(right[:, draw.sample(range(d), d)]), right)
