"""What lab 02 states, computed in float64. A docstring is the claim, with the name of its cell before it."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from lab_words import alt_of, shown_by, words_of

from autograder.build_the_table.reference import frequencies, sinusoidal_pe
from autograder.heatmap.reference import full_cycles, wavelengths
from encoding_labs.heatmap import figures, guesses, questions

LAB = "02_heatmap"


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


@pytest.fixture(scope="module")
def pictures():
    """What the lab's sharp picture and its smoothed one show of columns 0 and 2: a grey map, read back from the pixels.

    Returns for each picture the positions that a line of pixels spans, and a dictionary of columns.
    """

    def in_grey(pe, ax):
        image = ax.imshow(pe, "gray", vmin=-1, vmax=1, aspect="auto", interpolation="nearest")
        ax.set(xlabel="dimension", ylabel="position")
        ax.figure.colorbar(image, ax=ax, label="value")

    figure, _ = shown_by(figures.smoothed, in_grey)
    figure.set_dpi(2 * figure.dpi)  # `show` draws with twice the pixels
    figure.canvas.draw()
    pixels, found = np.asarray(figure.canvas.buffer_rgba())[::-1, :, 0] / 127.5 - 1, []
    for ax in figure.axes[:2]:
        (left, bottom), (right, top) = ax.transData.transform([(0, 3999.5), (2, -0.5)])
        lines = slice(int(bottom) + 2, int(top) - 1)
        found.append((4000 / (top - bottom), {0: pixels[lines, round(left)], 2: pixels[lines, round(right)]}))
    plt.close(figure)
    return found


def stripes(picture, column):
    """How many positions the strongest wave of a column takes for one turn, as the picture shows it."""
    positions, columns = picture
    strength = np.abs(np.fft.rfft(columns[column] - columns[column].mean(), 2**13))
    return 2**13 / (20 + strength[20:].argmax()) * positions


def test_the_sharp_picture_shows_other_waves_than_the_table_has(pictures):
    """[see_smoothed_text] At 4,000 positions columns 0 and 2 turn once in 6.3 and 11.2, and their stripes are 43 and 21 apart: nine up to 400."""
    sharp, words = pictures[0], words_of(LAB, "see_smoothed_text")
    assert wavelengths(32)[:2].round(1).tolist() == [6.3, 11.2] and round(400 / wavelengths(32)[0]) == 64
    assert abs(stripes(sharp, 0) - 43) < 2 and abs(stripes(sharp, 2) - 21) < 1 and round(400 / stripes(sharp, 0)) == 9
    assert round(sharp[0], 1) == 7.3 and round(sharp[0] / wavelengths(32)[0] - 1, 1) == 0.2
    for told in (words, alt_of(figures.smoothed, lambda pe, ax: ax.imshow(pe))):
        assert "about 43 positions apart" in told and "21" in told
    assert "one turn and a sixth" in words and "aliasing" in words and "neither picture shows the fast pairs" in words


def test_smoothing_makes_the_fast_column_look_like_zeros(pictures):
    """[see_smoothed_text] The mean absolute value of column 0 is 0.64; smoothed, at 4,000 positions, it is below 0.05."""
    (_, sharp), (_, smoothed) = pictures
    assert round(float(np.abs(sinusoidal_pe(4000, 32)[:, 0]).mean()), 2) == 0.64
    assert np.abs(smoothed[0]).mean() < 0.05 < 0.6 < np.abs(sharp[0]).mean()


def test_no_picture_with_fewer_pixels_than_rows_shows_the_fast_pairs(pictures):
    """[quiz] Without smoothing pair 0 seems to turn once in 43 positions in place of 6.3; smoothed it fades."""
    second = questions.QUIZ[1]
    assert stripes(pictures[0], 0) > 6 * wavelengths(32)[0] and np.abs(pictures[1][1][0]).mean() < 0.05
    assert "without smoothing still shows how fast each pair turns" in second.text and not second.truth
    assert "aliasing" in second.reason and "6.3" in second.reason and "43" in second.reason


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
