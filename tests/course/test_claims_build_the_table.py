"""Test the claims of lab 01 in float64. Each docstring has a cell's id in brackets, then a claim in that cell, quoted or summed up."""

import json
import random
import re
import sys
from itertools import compress

import matplotlib.pyplot as plt
import numpy as np
import pytest
from lab_words import alt_of, cell, words_of
from needs import needs

from autograder.build_the_table import reference
from encoding_labs.build_the_table import figures, guesses, numbering, questions, sentences
from encoding_labs.build_the_table.counted import MISTAKES
from encoding_labs.build_the_table.gallery import gallery
from labkit.student.model import project

sys.path.insert(0, str(project.current().root / "docs"))
import moving_pictures


def test_two_clocks_start_at_12_and_turn_by_1_and_0_01():
    """[by_hand_task] Both hands start at 12. The first turns by 1 radian per position, and the second by 0.01."""
    source = cell("01_build_the_table", "see_clock")
    assert "d=4" in source
    np.testing.assert_array_equal(reference.sinusoidal_pe(1, 4)[0], [0, 1] * 2)
    np.testing.assert_allclose(reference.sinusoidal_pe(4, 4)[:, ::2], np.sin(np.outer(range(4), [1, 0.01])))


def attend(x, place):
    weights = np.exp(x @ x[place])
    return weights @ x / weights.sum()


def results(table=None):
    return [sentences.results(attend, sentence, table) for sentence in sentences.SENTENCES]


def test_a_mean_does_not_depend_on_order():
    """[why] Without a mask, attention gives each word the same result in "dog bites man" and "man bites dog"."""
    one, other = results()
    assert all(np.allclose(one[word], other[word], atol=1e-15) for word in one)


@needs("Node or Chromium")
def test_the_first_picture_computes_attention_and_no_shuffle_changes_a_result():
    """[setup] In the picture, results are means weighted by similarity. However the words are shuffled, the largest change is 0.00."""
    x = moving_pictures.computed('["dog", "bites", "man"].map((word) => vectorOf(word, 6))')
    got = moving_pictures.computed('attended(["dog", "bites", "man"].map((word) => vectorOf(word, 6)))')
    np.testing.assert_allclose(got, [attend(np.array(x), place) for place in range(3)])
    text = json.dumps([*"abcdefga"])
    changes, orders = moving_pictures.computed(
        f"[0, 1].map((part) => [...Array(10).keys()].map((n) => part ? shuffledOrder(8, n) : largestChange({text}, n, 6)))"
    )
    assert max(changes) < 1e-12 and orders[1] == [*range(8)][::-1] and len({*map(tuple, orders)}) == 10
    assert all(sorted(order) == [*range(8)] for order in orders)


def candidates():
    """The candidates in the lab's cell."""
    source, names = cell("01_build_the_table", "numberings"), {"np": np}
    exec(source.partition("numbering.draw")[0], names)
    return names["candidates"]


MEASURED = {  # as the lab prints it
    "A": ["999", "1 / 1", "15 / 1", "0"],
    "B": ["0.999", "0.1 / 0.001", "0.015 / 0.001", "0"],
    "C": ["1", "2 / 2", "2 / 2", "1.01"],
    "D": ["1", "0.964 / 0.964", "2.32 / 0.964", "0"],
}


@pytest.mark.parametrize("letter", MEASURED)
def test_what_the_four_tests_measure(letter):
    """[see_losers] The rows of numbers: largest entry, step from 7 to 8 in two texts, rows 0 and 15 against 7 and 8, error of the best linear layer."""
    measured = numbering.measured(candidates()[letter])
    assert [" / ".join(map(numbering._written, each)) for each in measured] == MEASURED[letter]


def test_each_test_has_one_loser_and_d_passes_all():
    """[see_losers] Each test has one loser: A, B, C and C. D passes all four."""
    largest, step, near, shift = zip(*(numbering.measured(each) for each in candidates().values()))
    fails = [
        [entry > 2 for (entry,) in largest],
        [not np.isclose(short, long) for short, long in step],
        [close >= far for far, close in near],
        [error > 1e-9 for (error,) in shift],
    ]
    assert ["".join(compress("ABCD", each)) for each in fails] == [loser for loser, _ in numbering.LOSERS.values()]


def test_losers_are_shown_once_all_four_are_guessed(capsys):
    """[see_losers] Without four letters nothing is shown; a fifth candidate gets a row of its own."""
    with_e = {**candidates(), "E": lambda p, T: [np.sqrt(p)]}
    for guess, words in ((None, "No guess yet"), ("AB", "one letter for each"), (3, "one letter for each")):
        numbering.compare(with_e, guess)
        shown = capsys.readouterr().out
        assert words in shown and "999" not in shown
    for guess in ("abdd", "A, B, D, D", ["A", "B", "D", "D"]):
        numbering.compare(with_e, guess)
        shown = capsys.readouterr().out
        assert "Test 1: you chose A; A fails." in shown and "Test 3: you chose D; C fails." in shown
        assert re.search(r"(?m)^E  31.6 ", shown)


def test_from_7_to_8_four_digits_change():
    """[see_losers] From 7 to 8 all four digits change, as from 0 to 15. A step of B is a hundred times smaller in a text of 1,000 words than in one of 10."""
    rows = numbering.rows(candidates()["C"], 16)
    assert np.abs(rows[7] - rows[8]).sum() == np.abs(rows[0] - rows[15]).sum() == 4
    (short, long) = numbering.measured(candidates()["B"])[1]
    assert np.isclose(short, 100 * long)


def test_candidate_d_is_the_table_at_d_8():
    """[formula] Candidate D is the formula's table at d = 8: each clock is ten times slower than the one before."""
    np.testing.assert_allclose(reference.frequencies(8), [1, 0.1, 0.01, 0.001])
    np.testing.assert_allclose(numbering.rows(candidates()["D"], 64), reference.sinusoidal_pe(64, 8), atol=1e-6)


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


def test_the_first_rows_at_d_4():
    """[by_hand_task] At d = 4, row 0 is (0, 1, 0, 1) and row 1 (0.8415, 0.5403, 0.0100, 1.0000), rounded to four decimals."""
    table = reference.sinusoidal_pe(2, 4)
    assert table[0].tolist() == [0, 1, 0, 1] and table[1].round(4).tolist() == [0.8415, 0.5403, 0.01, 1.0]


def test_row_3_by_hand():
    """[by_hand_task] At d = 4, the angles at position 3 are 3 and 0.03 radians."""
    assert np.allclose(3 * reference.frequencies(4), [3, 0.03])


def test_frequencies_at_d_4_and_8():
    """[formula] The frequencies are 1 and 0.01 at d = 4, and 1, 0.1, 0.01 and 0.001 at d = 8."""
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


def test_binary_digits_change_like_clocks():
    """[numberings] The first column of C, the last binary digit, changes at every row, and the next column at every other row."""
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
