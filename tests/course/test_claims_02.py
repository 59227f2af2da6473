"""What lab 02 states, computed in float64. A docstring is the claim, with the name of its cell before it."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from reference.build_the_table import frequencies, sinusoidal_pe
from reference.heatmap import full_cycles, wavelengths

from encoding_labs.heatmap import figures, guesses
from labkit.notebook.figures import STYLE


def test_the_size_of_the_table():
    """[why] A table of 64 positions and 32 dimensions has 2,048 numbers."""
    assert sinusoidal_pe(64, 32).size == 2048


def test_each_pair_is_slower_by_1_78():
    """[see_heatmap_text] At d = 32 each pair is slower than the one before by 10000^(2/32), about 1.78."""
    ratio = frequencies(32)[:-1] / frequencies(32)[1:]
    assert np.allclose(ratio, 10_000 ** (2 / 32)) and round(float(ratio[0]), 2) == 1.78


def test_what_the_heatmap_shows():
    """[see_heatmap] From column 20 on the even columns stay close to 0 and the odd ones close to 1, at T = 64, d = 32."""
    table = sinusoidal_pe(64, 32)[:, 20:]
    assert np.abs(table[:, 0::2]).max() < 0.2 and table[:, 1::2].min() > 0.98


def test_the_guess_of_cycles():
    """[reveal_cycles] 5 of the 16 pairs complete a turn within 64 positions; the wavelengths begin 6.3, 11.2, 19.9, 35.3, 62.8, 111.7."""
    assert full_cycles(64, 32) == guesses.CYCLES.value == 5
    assert wavelengths(32)[:6].round(1).tolist() == [6.3, 11.2, 19.9, 35.3, 62.8, 111.7]


def test_longer_texts_set_more_pairs_going():
    """[reveal_cycles] Within 1,000 positions 9 of the 16 pairs complete a turn; the last needs 35,333 positions."""
    assert full_cycles(1000, 32) == 9 and round(wavelengths(32)[-1]) == 35_333


def test_the_curves():
    """[see_columns] Column 0 swings ten times, column 8 makes one wave, column 16 rises to 0.59 and column 24 to 0.06."""
    table = sinusoidal_pe(64, 32)
    turns = 63 / wavelengths(32)[[0, 4]]
    assert turns.astype(int).tolist() == [10, 1] and table[-1, [16, 24]].round(2).tolist() == [0.59, 0.06]
    assert (np.diff(table[:, [16, 24]], axis=0) > 0).all()


def seen(interpolation):
    """Column 0 of the table for 4,000 positions as the lab's figure shows it: a grey map is read back from its pixels."""
    with plt.style.context(STYLE):
        figure, axes = plt.subplots(1, 2, figsize=(9, 4.2), dpi=160)  # `show` draws with twice the pixels
        for ax in axes:
            image = ax.imshow(sinusoidal_pe(4000, 32), "gray", vmin=-1, vmax=1, aspect="auto")
            figure.colorbar(image, ax=ax, label="value")
            ax.set(xlabel="dimension", ylabel="position", title="title")
            ax.grid(False)
        image.set(interpolation=interpolation, interpolation_stage="data")
        figure.canvas.draw()
        pixels = np.asarray(figure.canvas.buffer_rgba())[::-1, :, 0] / 127.5 - 1
        (x, bottom), (_, top) = ax.transData.transform([(0, 3990), (0, 10)])
        plt.close(figure)
    return pixels[int(bottom) : int(top), round(x)]


def test_smoothing_makes_the_fast_column_look_like_zeros():
    """[see_smoothed_text] The mean absolute value of column 0 is 0.64; smoothed, at 4,000 positions, it is below 0.05."""
    assert round(float(np.abs(sinusoidal_pe(4000, 32)[:, 0]).mean()), 2) == 0.64
    assert np.abs(seen("hanning")).mean() < 0.05 < 0.6 < np.abs(seen("nearest")).mean()


def test_neighbours_of_128_dimensions():
    """[see_other_orientation] Of 128 dimensions, each pair takes 15 % longer for a turn than the one before it."""
    assert np.allclose(wavelengths(128)[1:] / wavelengths(128)[:-1], 1.1548, atol=1e-4)


@pytest.mark.parametrize(
    ("dimension", "places"), [(1, [0, 6, 13, 19, 25]), (3, [0, 7, 15, 22, 29]), (5, [0, 8, 17, 25])]
)
def test_where_the_cosines_are_reddest(dimension, places):
    """[see_other_orientation] Dimension 1 is reddest near 0, 6, 13, 19, 25; 3 near 0, 7, 15, 22, 29; 5 near 0, 8, 17, 25."""
    column = np.concatenate([[-1], sinusoidal_pe(30, 128)[:, dimension]])
    tops = [p - 1 for p in range(1, 30) if column[p] >= column[p - 1] and column[p] > column[p + 1]]
    assert tops == [place for place in places if place < 29] and (29 not in places or column[30] > 0.98)


def test_slow_columns_use_few_colours(capsys):
    """[see_colours] Of 256 colours the last sine uses 2 at T = 64, d = 32, and the last five cosines 1 each."""
    figures.colours_used()
    sines, cosines = capsys.readouterr().out.splitlines()
    assert sines.endswith(" 2]") and cosines.endswith(" 1, 1, 1, 1, 1]")


def test_what_the_last_pair_does():
    """[what_the_picture_hides] At T = 64, d = 32 the last sine grows from 0 to 0.011 and the last cosine changes by 0.00006."""
    table = sinusoidal_pe(64, 32)
    assert round(table[-1, -2], 3) == 0.011 and round(1 - table[-1, -1], 5) == 0.00006
    assert len(np.unique(table[:, -2])) == 64


def test_the_first_pairs_make_no_whole_number_of_turns():
    """[quiz] At T = 64, d = 32 the first pair makes 10.2 turns and the second 5.7."""
    assert (64 / wavelengths(32)[:2]).round(1).tolist() == [10.2, 5.7]


def test_a_longer_table_has_no_fewer_cycles():
    """[quiz] With the same d, a longer table has at least as many pairs that complete a cycle."""
    assert all(full_cycles(T, 32) <= full_cycles(T + 1, 32) for T in range(1, 5000))
