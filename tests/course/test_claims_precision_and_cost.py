"""Test the claims of lab 07. Each docstring has a cell's id in brackets, then a claim in that cell, quoted or summed up.

float32 errors differ a little between machines, so the tests only require them to be within bounds, as the lab's checks do.
"""

from pathlib import Path

import mpmath
import numpy as np
import pytest
from lab_words import alt_of, words_of

from autograder.precision_and_cost.samples import F, exact, first_where, largest, locked_rows, omega, woven
from encoding_labs.precision_and_cost import figures, guesses
from encoding_labs.precision_and_cost.exercises import DOUBLE
from encoding_labs.precision_and_cost.measure import SIZES, by_doubling, in_blocks
from minimodel.positional.sinusoidal import sinusoidal_pe

LAB = "07_precision_and_cost"
GROWTH = guesses.GROWTH.why[guesses.GROWTH.right]
CHEAT_SHEET = (Path(figures.__file__).parent / "cheat_sheet.en.md").read_text("utf-8")
WAYS = {  # ways to write the frequencies in float32, all allowed by the lab
    "as the locked formula": lambda d: F(1) / F(10000) ** share(d),
    "a negative power": lambda d: F(10000) ** -share(d),
    "the exponential of a logarithm": lambda d: np.exp(-share(d) * np.log(F(10000))),
    "float64, rounded once": lambda d: omega(d).astype(F),
}


def double(rows, omega):
    """A copy of the solution's `double`."""
    turn = np.exp(-1j * len(rows) * omega).astype(np.complex64)
    return np.concatenate([rows, (rows.view(np.complex64) * turn).view(F)])


def share(d):
    return np.arange(0, d, 2, dtype=F) / F(d)


def off(positions, frequencies, d):
    """The largest error in each row of a table computed with these float32 frequencies."""
    angle = positions.astype(F)[:, None] * frequencies
    assert angle.dtype == F
    return np.abs(woven(angle) - exact(positions, d)).max(axis=1)


def test_float32_near_one_and_near_100_000():
    """[why] A float32 number has 24 significant bits, so rounding changes numbers near 1 by at most 6e-8 and numbers near 100,000 by up to 0.004."""
    assert np.finfo(F).nmant + 1 == 24
    assert float(f"{np.spacing(F(1)) / 2:.0e}") == 6e-8 and float(f"{np.spacing(F(100_000)) / 2:.0e}") == 0.004


def test_two_positions_that_get_the_same_row():
    """[title] From position 16,777,216 to 16,777,217 the first hand turns by 1 radian, but float32 gives both the same row, whatever d is."""
    for d in (2, 8, 512):
        one, other = locked_rows(np.array([16_777_216, 16_777_217]), d)
        np.testing.assert_array_equal(one, other)
    assert omega(8)[0] == 1 and np.abs(np.subtract(*exact(np.array([16_777_216, 16_777_217]), 8))).max() > 0.5


def test_the_locked_formula_is_float32_throughout():
    """[why] Every step of the locked formula is in float32: the same steps written out in float32 give the locked module's values."""
    assert np.abs(sinusoidal_pe(3_000, 32) - locked_rows(np.arange(3_000), 32)).max() < 1e-6 + 6e-7 * 3_000
    assert sinusoidal_pe(4, 4).dtype == F


@pytest.mark.parametrize("d", [32, 128, 512])
def test_the_error_is_in_proportion_to_the_position(d):
    """[see_errors] However the frequencies are computed, the largest error near position p is between a few billionths of p and about two ten-millionths of p."""
    assert "stays below about two ten-millionths of it" in GROWTH
    assert r"below about $2\cdot 10^{-7}\,p$" in CHEAT_SHEET
    for frequencies in WAYS.values():
        for p in (10**3, 10**4, 10**5, 10**6):
            assert 3e-9 * p < off(np.arange(p - 100, p), frequencies(d), d).max() < 2.5e-7 * p


def test_the_error_is_like_an_error_of_the_position():
    """[see_errors] The error is as if the position were off by at most about two ten-millionths of its value: at 131,072, by two hundredths of a step."""
    p = np.arange(131_000, 131_073)
    for d in (32, 128, 512):
        angle = (p.astype(F)[:, None] * WAYS["as the locked formula"](d)).astype(float)
        steps = np.abs(angle / omega(d) - p[:, None]).max()
        assert 0.005 < steps < 2.5e-7 * 131_072
    assert "at 131,072 by about two hundredths of a step" in GROWTH


def test_float64_angles_are_enough():
    """[cheat_sheet] With float64 angles and rounded entries, every entry is off by at most 3e-8 up to position one million. Beyond that, the angles add an error of about 1e-16 p."""
    longer = np.longdouble(10_000) ** (-2 * np.arange(32) / np.longdouble(64))
    for last, most in ((10**4, 3e-8), (10**6, 3e-8), (10**9, 3e-8 + 2e-16 * 10**9)):
        p = np.arange(last - 2_000, last)
        angle, rows = p[:, None].astype(np.longdouble) * longer, exact(p, 64).astype(F)
        off = max(np.abs(rows[:, 0::2] - np.sin(angle)).max(), np.abs(rows[:, 1::2] - np.cos(angle)).max())
        assert 0.9 * figures.CAST < off < most
    assert off > 4e-8


def test_float32_angles_and_the_effect_of_d():
    """[see_errors] The errors for d = 512 are highest: four to nine times those for d = 32, depending on how the frequencies are computed. Far out, all errors reach nearly 2."""
    p = np.unique(np.geomspace(100, 10**6, 200).astype(int))
    times = [np.median(off(p, way(512), 512) / off(p, way(32), 32)) for way in WAYS.values()]
    assert (
        round(min(times)) == 4 and 4.5 < max(times) < 12
    )  # 8.5 where measured: float32 powers differ between machines
    far = np.geomspace(10**8, 10**9, 1_000).astype(int)
    assert all(1.9 < off(far, way(d), d).max() <= 2 for way in WAYS.values() for d in (32, 128, 512))


def test_the_first_bad_position():
    """[cheat_sheet] At d = 32 the first error above 0.001 is near position 29,000. Doubling d never makes it later."""
    for way in WAYS.values():
        first = [first_where(lambda p: off(p, way(d), d) > 1e-3) for d in (32, 64, 128, 256, 512)]
        assert abs(first[0] - guesses.FIRST_BAD.value) < 0.1 * 29_000
        assert first == sorted(first, reverse=True) and first[-1] < first[0]
    assert "doubling $d$ never moves it further out" in CHEAT_SHEET


def test_the_frequencies_are_among_those_of_twice_the_dimensions():
    """[cheat_sheet] The frequencies for d are every other frequency for 2d, so the largest error in a row of 2d columns is at least as large as in a row of d."""
    for d in (8, 32, 256):
        np.testing.assert_allclose(omega(2 * d)[::2], omega(d), rtol=1e-15)


def test_an_angle_past_two_to_the_14():
    """[see_gap] Just above 2**14, rounding an angle to 24 bits changes it by up to 0.00098. The second pair reaches 2**14 at position 29,137."""
    assert np.spacing(F(2**14)) / 2 == pytest.approx(0.00098, abs=5e-6)
    assert 2**14 / omega(32)[1] == pytest.approx(29_137, abs=3)


def test_first_bad_positions_asked_for_are_below_200_000():
    """[first_bad_position_task] For all sizes in the check, the first bad position is below 200,000."""
    from autograder.precision_and_cost import reference

    assert max(reference.first_bad_position(d, 1e-3)[1] for d in (32, 64, 128)) < 200_000


def test_neighbours_beyond_two_to_the_24():
    """[see_gap] At d = 2 there is no error up to position 16,777,216. Beyond it, even positions are exact and odd ones are off by 0.7 to 0.96."""
    near = 2**24 + np.arange(-8, 17)
    error = largest(near, 2)
    odd = (near > 2**24) & (near % 2 == 1)
    assert (error[~odd] < 1e-6).all() and (error[odd] > 0.7).all() and (error[odd] < 0.96).all()


def test_a_turn_is_a_product():
    """[double_task] sin + i cos = i exp(-i theta), so turning by n positions is a multiplication by exp(-i n omega)."""
    p, n = np.arange(50), 7
    z = exact(p, 16)[:, 0::2] + 1j * exact(p, 16)[:, 1::2]
    assert np.abs(z - 1j * np.exp(-1j * p[:, None] * omega(16))).max() < 1e-14
    later = exact(p + n, 16)[:, 0::2] + 1j * exact(p + n, 16)[:, 1::2]
    assert np.abs(later - z * np.exp(-1j * n * omega(16))).max() < 1e-14


def test_seventeen_steps():
    """[see_exactness] After 17 doublings the table has 131,072 rows, and after 18 it has 262,144."""
    assert 2**guesses.STEPS.value == 131_072 and 2 * 131_072 == 262_144


def test_doubling_can_start_at_any_position():
    """[stretch] From row 1,000,000, doubling gives the rows of positions 1,000,000 to 1,000,999, to within 1e-6."""
    p = np.arange(1_000_000, 1_000_999 + 1)
    rows = exact(p[:1], 32).astype(F)
    while len(rows) < len(p):
        rows = double(rows, omega(32))
    assert np.abs(rows[: len(p)] - exact(p, 32)).max() < 1e-6


def test_no_formula_gives_the_rows_that_are_doubled():
    """[double_task] From one row to the next, the pairs in the check's input turn by omega. The rows are not rows of the table, because their pairs are shorter than 1."""
    for probe in DOUBLE.probes:
        rows, omega = probe.inputs()
        z = rows[:, 0::2].astype(float) + 1j * rows[:, 1::2]
        assert np.abs(z[1:] - z[:-1] * np.exp(-1j * omega)).max(initial=0) < 2e-7 and rows.dtype == F
        assert np.abs(z).max() < 0.96 and np.abs(rows - woven(np.arange(len(rows))[:, None] * omega)).max() > 0.04


def test_doubling_is_exact_enough_and_the_formula_is_not():
    """[cheat_sheet] At T = 131,072, doubling with turns computed in float64 has errors below 1e-6. The locked formula's errors are far larger."""
    T, d = 2 * 65_536, 32
    right = exact(np.arange(T), d)
    assert np.abs(by_doubling(double)(T, d) - right).max() < 1e-6 < 1e-3 < np.abs(sinusoidal_pe(T, d) - right).max()


def test_the_formulas_error_grows_but_the_doubled_tables_does_not():
    """[see_exactness] At d = 32 the locked formula's error rises from below 1e-7 to nearly 1e-3 by position 16,384. The doubled table's error stays below 1e-5, and with the solution below 1e-6."""
    error = largest(np.arange(16_383 + 1), 32)
    assert error[1] < 1e-7 and 2e-4 < error.max() < 3e-3
    assert np.abs(by_doubling(double)(16_384, 32) - exact(np.arange(16_384), 32)).max() < 1e-6


def test_the_figure_of_exactness_measures_the_students_table():
    """[see_exactness] Angles in float32 make the doubled table's error grow too, so the figure's words follow from the measured error."""
    right, rounded = (
        alt_of(figures.exactness, build) for build in (double, lambda rows, omega: double(rows, omega.astype(F)))
    )
    assert "the doubled table stays below 1e-5" in right and "below 1e-5 throughout" not in rounded
    assert 1e-5 < float(rounded.split("doubled table reaches ")[1].rstrip(".")) < 1e-2


RUBRIC = 6_900, 17_000, 0.007, 0.015, 0.06, 0.14  # the first bad position, the error at 100,000 and that at a million


def test_errors_at_512_columns():
    """[how_far_rubric] At d = 512, depending on how the frequencies are computed, the error first exceeds 0.001 at a position between 6,900 and 17,000. It is 0.007 to 0.015 at position 100,000, and 0.06 to 0.14 at a million."""
    low, high, *ranges = RUBRIC
    for way in WAYS.values():
        error = [off(np.arange(p - 1_000, p), way(512), 512).max() for p in (10**5, 10**6)]
        assert low / 2 < first_where(lambda p: off(p, way(512), 512) > 1e-3) < 2 * high
        assert ranges[0] / 2 < error[0] < 2 * ranges[1] and ranges[2] / 2 < error[1] < 2 * ranges[3]


def test_the_most_exact_frequencies_are_the_end_of_those_ranges():
    """[how_far_rubric] Frequencies computed in float64 and rounded once give the best number in each of the rubric's ranges, 17,000, 0.007 and 0.06, on every machine."""
    _, last, small, _, far_out, _ = RUBRIC
    exact_ones = WAYS["float64, rounded once"](512)
    assert abs(first_where(lambda p: off(p, exact_ones, 512) > 1e-3) - last) < 0.02 * last
    assert round(off(np.arange(99_000, 100_000), exact_ones, 512).max(), 3) == small
    assert round(off(np.arange(999_000, 1_000_000), exact_ones, 512).max(), 2) == far_out


def test_the_sample_answer_states_the_solutions_numbers():
    """[how_far] The solution's first bad position is 6,909, and its error is about 0.015 at 100,000 and 0.14 at a million. On other machines, these differ by at most about a factor of two."""
    first = first_where(lambda p: largest(p, 512) > 1e-3)
    assert 6_909 / 2 < first < 2.5 * 6_909 and 6_909 >= RUBRIC[0]


def test_attention_grows_faster_than_the_table():
    """[speed_text] Attention's T × T scores outgrow the table's T × d entries: the longer the text, the less the table's cost matters."""
    shares = [table.size / (table @ table.T).size for table in (sinusoidal_pe(T, 32) for T in (16, 64, 256, 1024))]
    assert shares == sorted(shares, reverse=True) and shares[0] > 1 > shares[-1]
    words = words_of(LAB, "speed_text")
    assert "the longer the text, the less the table's cost matters" in words and "never" not in words


def test_float64_angles_far_out():
    """[cheat_sheet] With float64 angles, rounded entries are good to 3e-8 up to ten million positions. Rounding the angles adds less than about 2e-16 p, which shows from about 1e8 on."""
    with mpmath.workdps(40):
        pairs = [mpmath.mpf(10_000) ** (-mpmath.mpf(2 * k) / 512) for k in range(256)]
        for p, most in ((10**7, 3.2e-8), (10**8, 6e-8), (10**9, 3e-7)):
            near = np.arange(p - 40, p)
            rounded = near[:, None] * omega(512)
            off = np.array(
                [[float(mpmath.mpf(row[k]) - int(n) * w) for k, w in enumerate(pairs)] for n, row in zip(near, rounded)]
            )
            assert 1e-17 * p < np.abs(off).max() < 2.5e-16 * p
            right = np.sin(rounded) - off * np.cos(rounded)  # off is small, so this is the exact sine to within 1e-13
            error = np.abs(np.sin(rounded).astype(F) - right).max()
            assert error < most and (p < 10**8 or error > 3.1e-8)
    assert r"below about $2\cdot 10^{-16}\,p$, which shows only from about $10^8$ on" in CHEAT_SHEET


def test_memory_of_a_table():
    """[cheat_sheet] A float32 table takes 4 T d bytes: 16 MiB for T = 8,192 and d = 512."""
    assert sinusoidal_pe(8_192, 512).nbytes == 16 * 2**20


def test_positions_in_float16():
    """[stretch] float16 has 11 significant bits, so it cannot represent odd positions above 2,048. A table of 3,000 positions is already affected."""
    lost = np.flatnonzero(np.arange(3_000).astype(np.float16) != np.arange(3_000))
    assert lost[0] == 2_049 and set(lost % 2) == {1}


def test_a_hand_that_turns_once_a_day():
    """[time_of_day_task] The hand moves by 1e-5 in about an eighth of a second. Timestamp 1,750,032,000 is midnight. In float32, adding a second does not move the hand."""
    assert 1e-5 / (2 * np.pi / 86_400) == pytest.approx(1 / 8, rel=0.11)
    assert 1_750_032_000 % 86_400 == 0
    for start in (1_100_000_000, 2_000_000_000):
        assert np.spacing(F(start)) == 128
    assert (1_750_032_000 + np.array([1], dtype=F))[0] == 1_750_032_000


def test_the_measurement_decides_which_build_is_called_faster():
    """[see_speed_text] Above the figure you read whether doubling or the formula was faster on your machine."""
    entries, d = SIZES[-1][0] * SIZES[-1][1], SIZES[-1][1]
    told = [figures.compared(locked, yours) for locked, yours in ((3.0, 2.0), (2.0, 3.0), (2.0, 2.04))]
    assert "your doubling was 1.5 times as fast as the formula" in told[0]
    assert "the formula was 1.5 times as fast as your doubling" in told[1]
    assert "took the same time" in told[2]
    assert all(text.startswith(f"At {entries:,} entries and d = {d}, ") for text in told)
    assert "whether doubling or the formula was faster" in words_of(LAB, "see_speed_text")


def test_the_figures_build_doubles_blocks_of_1024_rows():
    """[speed_text] From 1,024 rows on, the figure's build doubles only the latest 1,024. Each block adds a rounding, so its errors are a little larger."""
    sizes = []
    table = in_blocks(lambda rows, omega: sizes.append(len(rows)) or double(rows, omega))(16_000, 32)
    assert sizes == [2**step for step in range(10)] + 15 * [1024] and table.shape == (16_000, 32)
    right = exact(np.arange(16_000), 32)
    assert np.abs(by_doubling(double)(16_000, 32) - right).max() < np.abs(table - right).max() < 5e-6


def test_doubling_takes_less_arithmetic_and_new_arrays():
    """[speed_text] Doubling takes less arithmetic than the formula, but every step writes all its rows into a new array."""
    rows = np.zeros((4, 8), dtype=F)
    doubled = double(rows, np.ones(4))
    assert doubled.shape == (8, 8) and not np.shares_memory(doubled, rows)
    words = words_of(LAB, "speed_text")
    assert "its rows into a new array" in words and "doubling is faster" not in words
