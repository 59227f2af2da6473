"""Test the claims of lab 05 in float64. Each docstring has a cell's id in brackets, then a claim in that cell, quoted or summed up."""

import numpy as np
import pytest
from lab_words import alt_of

from autograder.base_sweep.reference import (
    CHECKED,
    angles,
    base_for_length,
    decode,
    nearest_neighbour,
    similarity,
    sweep,
    wavelengths,
    which_base,
)
from encoding_labs.base_sweep import figures, guesses
from encoding_labs.base_sweep.exercises import BASES, DECODE
from encoding_labs.base_sweep.rows import printed
from encoding_labs.tables import Table

FIRST_ZEROS = {32: [5, 28, 122, 474, 2_089], 512: [5, 61, 474, 3_284, None]}  # by d, in the order of the bases


def printed_table(T, d):
    return np.round(Table(T, d).build(), 2) + np.float32(0)


OFFSETS = np.unique(np.geomspace(1, 1_000, 400).astype(int))


def first_zero(offsets, d, base):
    low = similarity(offsets, d, base) <= 0
    return int(offsets[np.argmax(low)]) if low.any() else None


def test_the_longest_wavelengths_of_five_bases():
    """[see_wavelengths] At d = 32 the longest wavelengths for the five bases are 54, 471, 4,080, 35,333 and 1.38 million. All lines in the plot start at 6.28."""
    longest = [wavelengths(32, base)[-1] for base in BASES]
    assert np.round(longest[:4]).tolist() == [54, 471, 4_080, 35_333] and round(longest[4] / 1e6, 2) == 1.38
    assert [float(f"{each:.3g}") for each in longest[3:]] == [35_300, 1_380_000]  # on the cheat sheet
    assert all(round(wavelengths(32, base)[0], 2) == 6.28 for base in BASES)


def test_the_often_quoted_length_is_a_limit():
    """[quiz] With base 10,000 the longest wavelength is 6,283 at d = 8, 35,333 at d = 32 and 60,611 at d = 512. For large d the limit is 62,832."""
    assert [round(wavelengths(d, 10_000)[-1]) for d in (8, 32, 512)] == [6_283, 35_333, 60_611]
    assert round(2 * np.pi * 10_000) == 62_832 and 62_600 < wavelengths(10_000, 10_000)[-1] < 62_832


@pytest.mark.parametrize("d", [4, 6, 8, 16, 32, 64, 256])
def test_every_row_can_be_decoded(d):
    """[decode_task] Two decimals are enough to decode positions up to nine tenths of the longest wavelength, for d from 4 to 256."""
    end = int(0.9 * wavelengths(d, 10_000)[-1])
    some = np.random.default_rng(d).uniform(0, end, 1_500)
    off = [abs(decode(printed(p, d)) - p) for p in (*some, 0, end)]
    assert max(off) < 0.0071 < DECODE.tolerance.absolute / 4


@pytest.mark.parametrize("d", [4, 8, 32])
def test_a_printed_row_is_one_of_the_locked_table(d):
    """[decode_task] rows.printed(p, d) is row p of the table rounded to two decimals. The two may differ slightly because the table's angles are in float32."""
    table = Table(6_000, d).build()
    assert max(np.abs(printed(p, d) - table[p]).max() for p in range(0, 6_000, 7)) < 0.0055


def test_a_table_of_all_positions_is_too_coarse():
    """[decode_task] At d = 256, a table of all required positions in steps of 0.1 has 526,227 rows, and is still too coarse for a tolerance of 0.03."""
    assert len(np.arange(0, 0.9 * wavelengths(256, 10_000)[-1], 0.1)) == 526_227
    assert DECODE.tolerance.absolute == 0.03 < 0.1 / 2 - 0.0071


def test_how_exactly_two_decimals_give_an_angle():
    """[decode_task] An angle computed from entries with two decimals is off by at most 0.0071 radians. For the slowest hand at d = 32, this is 40 positions."""
    most = 0.005 * np.sqrt(2)
    assert 0.00705 < most < 0.0071 and round(most / 2 / np.pi * wavelengths(32, 10_000)[-1]) == 40
    table = printed_table(31_800, 32)
    slowest = [angles(row)[-1] / 2 / np.pi * wavelengths(32, 10_000)[-1] for row in table[:-1:7]]
    off = [abs(said - 7 * number) for number, said in enumerate(slowest)]
    assert 35 < max(off) < 40


def test_the_positions_that_each_hand_allows():
    """[see_hands] For row 100 at d = 8, the slowest hand leaves a range of 14 positions, the next hand one of a little more than one, and the others marks 62.8 and 6.28 positions apart. All four hands allow only position 100."""
    turns = wavelengths(8, 10_000)
    assert np.allclose(2 * np.pi / turns, [1, 0.1, 0.01, 0.001])
    assert [f"{each:.3g}" for each in turns[:2]] == ["6.28", "62.8"]
    off = np.abs((np.arange(30, 170, 0.001)[:, None] - 100) / turns % 1 - 0.5)
    allowed = (off >= 0.5 - np.maximum(0.0071 / 2 / np.pi, 0.15 / turns)).all(axis=1)  # as wide as the figure's marks
    assert np.abs(np.arange(30, 170, 0.001)[allowed] - 100).max() < 0.16
    assert round(2 * 0.0071 / 2 / np.pi * turns[3]) == 14 and 1 < 2 * 0.0071 / 2 / np.pi * turns[2] < 1.5


def test_neighbours_and_cycles_of_five_bases():
    """[cheat_sheet] At T = 128, d = 32, the nearest rows are 1.94, 1.47, 1.28, 1.17 and 1.08 apart for the five bases, and 16, 11, 7, 6 and 4 pairs complete a cycle."""
    found = sweep(BASES, 128, 32)
    assert found[:, 2].round(2).tolist() == [1.94, 1.47, 1.28, 1.17, 1.08]
    assert found[:, 1].tolist() == [16, 11, 7, 6, 4]


def test_how_much_nearer_neighbours_get():
    """[see_sweep] From base 10 to base 500,000, the nearest-neighbour distance shrinks to 0.554 times what it was."""
    near = sweep((10, 500_000), 128, 32)[:, 2]
    assert round(near[1] / near[0], 3) == guesses.FACTOR.value


def test_one_hand_back_does_not_bring_the_row_back():
    """[see_sweep] With base 10, rows 0 and 54 are 6.05 apart: three times as far as adjacent rows, which are 1.94 apart."""
    apart = np.sqrt(32 * (1 - similarity([54, 1], 32, 10)))
    assert apart.round(2).tolist() == [6.05, 1.94] and guesses.RETURN.value == 6.05 and round(apart[0] / apart[1]) == 3
    assert round(wavelengths(32, 10)[-1], 1) == 54.4


def neighbours(base, slower=1):
    """The distance between adjacent rows at d = 128."""
    return np.sqrt(128 - 2 * np.cos(2 * np.pi / (slower * wavelengths(128, base))).sum())


RAISED_BASE = 10_000 * 8 ** (128 / 126)


def test_the_factor_of_the_base_is_the_same_for_every_length():
    """[see_longer] base_for_length(8 T, d) / base_for_length(T, d) = 8^(d/(d-2)), which is 8.268 at d = 128, for every T. 10,000 becomes 82,685."""
    for T in (100, 2_048, 1_000_000):
        assert round(base_for_length(8 * T, 128) / base_for_length(T, 128), 3) == guesses.BASE_FACTOR.value
    assert round(RAISED_BASE) == 82_685


def test_both_ways_slow_down_the_slowest_hand_and_only_one_the_fastest():
    """[see_longer] Dividing by 8 makes each hand 8 times slower. The larger base makes the slowest 8 times slower, pair 31 less than 3 times, and leaves the fastest alone."""
    slower = wavelengths(128, RAISED_BASE) / wavelengths(128, 10_000)
    assert np.isclose(slower[-1], 8) and slower[0] == 1 and slower[31] < 3


def test_what_the_two_ways_do_to_neighbours():
    """[see_longer] At d = 128, neighbours are 1.953 apart, 0.250 after dividing by 8 and 1.788 with the larger base."""
    assert round(neighbours(10_000), 3) == 1.953 and 7.5 < neighbours(10_000) / neighbours(10_000, 8) < 8
    assert round(neighbours(10_000, 8), 3) == guesses.DIVIDED.value == 0.250
    assert round(neighbours(RAISED_BASE), 3) == guesses.RAISED.value == 1.788


def test_the_pairs_that_turn_once_and_32_times():
    """[longer_meaning] At d = 128, 41 of 64 pairs turn at least once in 2,048 positions, and 17 at least 32 times."""
    assert [(wavelengths(128, 10_000) <= 2_048 / turns).sum() for turns in (1, 32)] == [41, 17]
    told = alt_of(figures.slower, wavelengths, base_for_length)
    assert "the 17 pairs on the left make at least 32 turns in 2,048 positions, and the 41 pairs" in told


@pytest.mark.parametrize("d", FIRST_ZEROS)
def test_the_first_zeros(d):
    """[see_similarity] At d = 32, the similarity for the five bases first reaches 0 at offsets 5, 28, 122, 474 and 2,089. At d = 512, the first four reach 0 at 5, 61, 474 and 3,284, and the last does not by offset 10,000."""
    assert [first_zero(np.arange(1, 10_001), d, base) for base in BASES] == FIRST_ZEROS[d]


def test_160_offsets_are_too_few_for_the_first_zeros():
    """[try_text] If the similarity is computed at only 160 offsets, base 10,000 seems to reach 0 first at offset 1,044 (d = 32) or 4,709 (d = 512)."""
    assert [first_zero(CHECKED, d, 10_000) for d in (32, 512)] == [1_044, 4_709]


def test_the_starts():
    """[see_similarity] All lines start between 0.88 and 0.98. The larger the base, the higher the start."""
    for d in FIRST_ZEROS:
        starts = [float(similarity([1], d, base)[0]) for base in BASES]
        assert starts == sorted(starts) and 0.88 < starts[0] and round(starts[-1], 2) <= 0.98


def test_a_small_base_keeps_swinging():
    """[see_similarity] At d = 32, base 10 reaches 0 by offset 5, then swings up to 0.58 (offset 3,920) and down to -0.64. At d = 512, base 10 stays within 0.23 of 0 from offset 5 on."""
    after = {d: similarity(np.arange(5, 10_001), d, 10) for d in FIRST_ZEROS}
    assert after[32][0] <= 0 and 5 + after[32].argmax() == 3_920
    assert [after[32].max().round(2), -after[32].min().round(2)] == [0.58, 0.64]
    assert np.abs(after[512]).max() < 0.23 < 0.5 < np.abs(after[32]).max()


def test_a_large_base_still_falls():
    """[see_similarity] With base 500,000 the trend falls by more than 0.17 from offset 1,000 to 10,000. At d = 512 the similarity is within 0.02 of the trend at both offsets."""
    offsets = np.array([1_000, 10_000])
    trend = 1 - (np.log(offsets) + 0.577) / np.log(500_000)
    assert trend[0] - trend[1] > 0.17 and np.abs(similarity(offsets, 512, 500_000) - trend).max() < 0.02


def test_which_lines_swing_about_0():
    """[see_similarity] A line that reaches 0 by offset 10,000 then swings around 0. At d = 512, base 500,000 does not reach 0."""
    for d, zeros in FIRST_ZEROS.items():
        for base, zero in zip(BASES, zeros):
            line = similarity(np.arange(1, 10_001), d, base)
            assert line.min() > 0.1 if zero is None else line[zero:].min() < 0 < line[zero:].max()


def test_even_spacing_comes_back():
    """[stretch] With frequencies 1, 15/16 .. 1/16, the similarity is -0.21 at offset 5, but 0.96 at 101 and 0.999 at 201."""
    omega = 1 - np.arange(16) / 16
    assert [round(float(np.cos(offset * omega).mean()), 2) for offset in (5, 101)] == [-0.21, 0.96]
    assert round(float(np.cos(201 * omega).mean()), 3) == 0.999 and round(2 * np.pi * 16, 1) == 100.5


def test_a_constant_factor_comes_back_too():
    """[stretch] At d = 8 and base 10,000, the similarity returns to 0.996 at offset 6,283, its highest value between offsets 2 and 10,000."""
    offsets = np.arange(2, 10_001)
    assert offsets[similarity(offsets, 8, 10_000).argmax()] == 6_283
    assert round(float(similarity([6_283], 8, 10_000)[0]), 3) == 0.996


def test_the_similarity_does_not_come_back_at_d_32():
    """[stretch] At d = 32 and base 10,000, the similarity stays below 0.772 from offset 10 to a million. At offset 1 it is 0.957."""
    most = max(similarity(np.arange(low, low + 50_000), 32, 10_000).max() for low in range(10, 1_000_000, 50_000))
    assert 0.771 < most < 0.772 and round(float(similarity([1], 32, 10_000)[0]), 3) == 0.957


def test_swings_are_smaller_with_more_dimensions():
    """[try_text] From offset 5,000 to 10,000, after the fall, the line for base 10,000 stays within 0.55 of 0 at d = 32 and within 0.14 at d = 512. The dimensions hardly change the fall: for each factor of 10 it is 0.25 to 0.28."""
    falls = [-np.polyfit(np.log10(OFFSETS), similarity(OFFSETS, d, 10_000), 1)[0] for d in (16, 32, 128, 512)]
    assert 0.25 <= min(falls).round(2) and max(falls).round(2) <= 0.28
    late = {d: np.abs(similarity(np.arange(5_000, 10_001), d, 10_000)).max() for d in (32, 512)}
    assert 0.45 < late[32] < 0.55 and late[512] < 0.14


def test_the_numbers_of_the_written_answer():
    """[choose_a_base] At d = 64, T = 500, the nearest rows are 1.95, 1.47 and 1.30 apart for bases 100, 10,000 and 500,000. 31 pairs complete a cycle with base 100 (longest wavelength 544), and 11 with base 500,000."""
    found = sweep((100, 10_000, 500_000), 500, 64)
    assert round(found[0, 0]) == 544 and found[:, 1].tolist()[::2] == [31, 11]
    assert found[:, 2].round(2).tolist() == [1.95, 1.47, 1.3] and round(found[2, 0] / 1e6, 2) == 2.08
    assert round(base_for_length(500, 64), 1) == 91.6 and round(base_for_length(200_000, 64)) == 44_474
    assert round(float(similarity([5_000], 64, 500_000)[0]), 2) == 0.34


def test_the_rotary_bases():
    """[stretch] At d = 128 and 8,192 positions, 35 of 64 pairs complete a cycle with base 500,000 and 50 with base 10,000."""
    assert [int((wavelengths(128, base) <= 8_192).sum()) for base in (500_000, 10_000)] == [35, 50]


def test_the_first_nearer_row():
    """[stretch] At d = 8, the first offset at which a row is nearer than the adjacent one is 101, 377, 993, 6 and 6 for the five bases."""
    for base, first in zip(BASES, (101, 377, 993, 6, 6)):
        near = similarity(np.arange(1, 1_001), 8, base)
        assert int(np.argmax(near[1:] > near[0])) + 2 == first


def test_nearest_rows_that_are_not_adjacent():
    """[sweep_task] At d = 8, base 10,000 and 64 positions, the nearest rows are not adjacent."""
    assert nearest_neighbour(64, 8, 10_000) < nearest_neighbour(2, 8, 10_000)


def test_the_right_picture():
    """[predict_base] At d = 512, base 10 falls to 0 within a few offsets and stays near it. Base 500,000 falls slowly and is still above 0.4 at offset 1,000."""
    assert guesses.SIMILARITY.right == "D"
    small, large = (similarity(np.arange(1, 1_001), 512, base) for base in (10, 500_000))
    assert small[5] < 0 and np.abs(small[100:]).max() < 0.15 and large[-1] > 0.4


def test_a_row_determines_its_base():
    """[which_base_task] The row of position 1 determines the base to one part in a thousand, even in float32. For a row with base 700 the answer is 700."""
    assert round(which_base(Table(2, 32, base=700).build()[1])) == 700
    for base in (2, 30, 4_000, 1_000_000):
        for d in (4, 8, 64):
            assert abs(which_base(Table(2, d, base=base).build()[1]) / base - 1) < 1e-4
