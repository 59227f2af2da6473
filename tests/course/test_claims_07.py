"""What lab 07 says, computed. A docstring is the claim, after the name of the cell that makes it.

Errors of float32 differ a little between machines, so these are held between bounds, as in the lab's own checks.
"""

import numpy as np
import pytest
from precision_and_cost_samples import F, doubled, exact, first_where, largest, locked_rows, omega, turn

from encoding_labs.precision_and_cost import figures, guesses
from minimodel.positional.sinusoidal import sinusoidal_pe


def test_float32_near_one_and_near_100_000():
    """[why] A float32 number has 24 significant bits: near 1 it is good to about 6e-8, near 100,000 to about 0.004."""
    assert np.finfo(F).nmant + 1 == 24
    assert np.spacing(F(1)) / 2 == pytest.approx(6e-8, rel=0.01) and np.spacing(F(100_000)) / 2 == pytest.approx(
        0.0039, rel=0.01
    )


def test_the_locked_formula_is_float32_throughout():
    """[why] The locked formula has every step in float32; written out with such steps it gives what the locked module does."""
    assert np.abs(sinusoidal_pe(3_000, 32) - locked_rows(np.arange(3_000), 32)).max() < 1e-6 + 6e-7 * 3_000
    assert sinusoidal_pe(4, 4).dtype == F


@pytest.mark.parametrize("d", [32, 128, 512])
def test_the_error_is_in_proportion_to_the_position(d):
    """[errors_text] The error is at most a few ten-millionths of p, and no less than a few billionths of it."""
    for p in (10**3, 10**4, 10**5, 10**6):
        error = largest(np.arange(p - 100, p), d)
        assert 3e-9 * p < error.max() < 5e-7 * p


def test_the_error_as_that_of_the_position():
    """[errors_text] Every pair turns as if the position were off by a few ten-millionths of itself: at 131,072 by a few hundredths of a step."""
    p = np.arange(131_000, 131_073)
    angle = (p.astype(F)[:, None] * (F(1) / F(10000) ** (np.arange(0, 512, 2, dtype=F) / F(512)))).astype(float)
    steps = np.abs(angle / omega(512) - p[:, None]).max()
    assert 0.005 < steps < 0.1


def test_float64_angles_are_enough():
    """[errors_text] With angles in float64, and only the entries rounded, every entry is good to 3e-8 up to a million positions; beyond that about 1e-16 p is added."""
    longer = np.longdouble(10_000) ** (-2 * np.arange(32) / np.longdouble(64))
    for last, most in ((10**4, 3e-8), (10**6, 3e-8), (10**9, 3e-8 + 2e-16 * 10**9)):
        p = np.arange(last - 2_000, last)
        angle, rows = p[:, None].astype(np.longdouble) * longer, exact(p, 64).astype(F)
        off = max(np.abs(rows[:, 0::2] - np.sin(angle)).max(), np.abs(rows[:, 1::2] - np.cos(angle)).max())
        assert 0.9 * figures.CAST < off < most
    assert off > 4e-8


def test_angles_in_float32_and_what_d_does():
    """[see_errors] The cloud of d = 512 lies highest, about eight times above that of d = 32."""
    p = np.unique(np.geomspace(100, 10**6, 200).astype(int))
    times = np.median(largest(p, 512) / largest(p, 32))
    assert 2.5 < times < 16


def test_the_first_bad_position():
    """[cheat_sheet] The first entry off by 0.001 comes near 29,000 at d = 32, and the earlier the larger d is."""
    first = {d: first_where(lambda p: largest(p, d) > 1e-3) for d in (32, 128, 512)}
    assert abs(first[32] - guesses.FIRST_BAD.value) < 0.1 * 29_000 and first[512] < first[128] < first[32]


def test_an_angle_past_two_to_the_14():
    """[reveal_first_bad] Past an angle of 2**14, rounding to 24 bits alone moves it by up to 0.00098; the second pair is there at 29,137."""
    assert np.spacing(F(2**14)) / 2 == pytest.approx(0.00098, abs=5e-6)
    assert 2**14 / omega(32)[1] == pytest.approx(29_137, abs=3)


def test_what_is_asked_of_first_bad_position_lies_below_200_000():
    """[first_bad_position_task] The check asks for sizes whose answer lies below 200,000."""
    from reference import precision_and_cost as reference

    assert max(reference.first_bad_position(d, 1e-3)[1] for d in (32, 64, 128)) < 200_000


def test_neighbours_beyond_two_to_the_24():
    """[see_gap] At d = 2 no error up to 16,777,216; beyond it every odd position is off by 0.7 to 0.96, every even one by nothing."""
    near = 2**24 + np.arange(-8, 17)
    error = largest(near, 2)
    odd = (near > 2**24) & (near % 2 == 1)
    assert (error[~odd] < 1e-6).all() and (error[odd] > 0.7).all() and (error[odd] < 0.96).all()


def test_a_turn_is_a_product():
    """[by_doubling_task] sin + i cos = i exp(-i theta), and turning by n positions multiplies by exp(-i n omega)."""
    p, n = np.arange(50), 7
    z = exact(p, 16)[:, 0::2] + 1j * exact(p, 16)[:, 1::2]
    assert np.abs(z - 1j * np.exp(-1j * p[:, None] * omega(16))).max() < 1e-14
    later = exact(p + n, 16)[:, 0::2] + 1j * exact(p + n, 16)[:, 1::2]
    assert np.abs(later - z * np.exp(-1j * n * omega(16))).max() < 1e-14


def test_seventeen_steps():
    """[reveal_steps] 17 steps of doubling give 131,072 rows."""
    assert 2**guesses.STEPS.value == 131_072


def test_doubling_is_exact_enough_and_the_formula_is_not():
    """[by_doubling_task] Doubling with phases from float64 is below 1e-6 at T = 131,072; the locked formula is not, by far."""
    T, d = 131_072, 32
    right = exact(np.arange(T), d)
    assert np.abs(doubled(T, d, turn).view(F) - right).max() < 1e-6 < 1e-3 < np.abs(sinusoidal_pe(T, d) - right).max()


def test_one_grows_the_other_hardly():
    """[see_exactness] At d = 32 the locked formula's error rises from below 1e-7 to near 1e-3 at 16,384; the doubled table's stays below 1e-6."""
    error = largest(np.arange(16_384), 32)
    assert error[1] < 1e-7 and 2e-4 < error.max() < 3e-3
    assert np.abs(doubled(16_384, 32, turn).view(F) - exact(np.arange(16_384), 32)).max() < 1e-6


def test_errors_at_512_columns():
    """[how_far] At d = 512 the worst entries are off by about 0.015 near 100,000, and by about 0.14 near a million."""
    assert 0.004 < largest(np.arange(99_000, 100_000), 512).max() < 0.05
    assert 0.04 < largest(np.arange(999_000, 1_000_000), 512).max() < 0.5


def test_memory_of_a_table():
    """[cheat_sheet] A table takes 4 T d bytes: 16 MiB at (8192, 512)."""
    assert sinusoidal_pe(8_192, 512).nbytes == 16 * 2**20


def test_whole_numbers_of_short_formats():
    """[stretch] bfloat16 has 8 significant bits, float16 11: they hold every whole number up to 256 and 2,048."""
    assert np.finfo(np.float16).nmant + 1 == 11 and np.float16(2_049) == 2_048 and np.float16(2_047) == 2_047
    kept = np.array([256, 257], dtype=F).view(np.uint32) & 0xFFFF  # bfloat16 is the upper half of a float32
    assert kept[0] == 0 != kept[1]
