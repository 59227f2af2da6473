"""Test the claims of lab 02 in float64. Each docstring has a cell's id in brackets, then a claim in that cell, quoted or summed up."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from lab_words import alt_of, shown_by, words_of

from autograder.build_the_table.reference import frequencies, sinusoidal_pe
from autograder.heatmap.reference import full_cycles, seen_wavelength, wavelengths
from encoding_labs.heatmap import aliasing, figures, guesses, questions
from labkit.student.notebook.figures import STYLE

LAB = "02_heatmap"


def test_the_size_of_the_table():
    """[why] A table of 64 positions and 32 dimensions has 2,048 numbers."""
    assert sinusoidal_pe(64, 32).size == 2048


def test_each_pair_is_slower_by_1_78():
    """[see_heatmap_text] At d = 32 each pair is slower than the one before it by the factor 10000^(2/32), about 1.78."""
    ratio = frequencies(32)[:-1] / frequencies(32)[1:]
    assert np.allclose(ratio, 10_000 ** (2 / 32)) and round(float(ratio[0]), 2) == 1.78


def test_slow_columns_keep_their_colours():
    """[see_heatmap] At T = 64, d = 32, even columns stay close to 0 and odd ones close to 1 from column 20 on."""
    table = sinusoidal_pe(64, 32)[:, 20:]
    assert np.abs(table[:, 0::2]).max() < 0.2 and table[:, 1::2].min() > 0.98


def test_how_many_pairs_complete_a_turn():
    """[reveal_cycles] 5 of the 16 pairs complete a turn within 64 positions. The first six wavelengths are 6.3, 11.2, 19.9, 35.3, 62.8 and 111.7."""
    assert full_cycles(64, 32) == guesses.CYCLES.value == 5
    assert wavelengths(32)[:6].round(1).tolist() == [6.3, 11.2, 19.9, 35.3, 62.8, 111.7]


def test_what_the_four_pictures_show():
    """[predict_columns] Columns 0, 8, 16 and 24 have the wavelengths 6.3, 62.8, 628 and 6,283: this is C. In A each wave turns half as often as the one above, in B 3 times less often, in D only the heights fall."""
    chosen, row = wavelengths(32)[[column // 2 for column in guesses.SINES]], np.arange(4)
    assert guesses.COLUMNS.right == "C" and [float(f"{each:.4g}") for each in chosen] == [6.283, 62.83, 628.3, 6_283]
    turns = {"A": 10.2 / 2**row, "B": 10.2 - 3 * row, "C": 64 / chosen, "D": [10.2] * 4}
    heights = {"D": (1, 0.6, 0.3, 0.1)}
    for letter, draw in guesses.COLUMNS.draw.items():
        for often, height, curve in zip(turns[letter], heights.get(letter, [1] * 4), four_curves(draw)):
            assert np.abs(curve - height * np.sin(2 * np.pi * often * PLACES / 64)).max() < 0.1, letter


PLACES = np.linspace(0, 64, 600)


def four_curves(draw):
    """The curves drawn in a small picture, each shifted vertically to start at 0."""
    figure, ax = plt.subplots()
    draw(ax)
    curves = [line.get_ydata() for line in ax.lines if len(line.get_xdata()) == PLACES.size]
    plt.close(figure)
    return [curve - curve[0] for curve in curves]


def test_more_pairs_complete_a_turn_in_longer_texts():
    """[reveal_cycles] Within 1,000 positions 9 of the 16 pairs complete a turn. The last pair needs 35,333 positions."""
    assert full_cycles(1000, 32) == 9 and round(wavelengths(32)[-1]) == 35_333


def test_the_curves_of_single_columns():
    """[see_columns] Columns 0 and 1 swing ten times, and columns 8 and 9 once. Column 16 rises to 0.59, 17 falls to 0.81, and 24 rises to 0.06."""
    table = sinusoidal_pe(64, 32)
    turns = 63 / wavelengths(32)[[0, 4]]
    assert turns.astype(int).tolist() == [10, 1] and table[-1, [16, 17, 24]].round(2).tolist() == [0.59, 0.81, 0.06]
    assert (np.diff(table[:, [16, 24]], axis=0) > 0).all() and table[:, 25].min() > 0.99


@pytest.fixture(scope="module")
def pictures():
    """The lab's sharp and smoothed pictures of 4,000 positions, each as (positions, values) of its lines of pixels."""

    def in_grey(pe, ax):
        image = ax.imshow(pe, "gray", vmin=-1, vmax=1, aspect="auto", interpolation="nearest")
        ax.set(xlabel="dimension", ylabel="position")
        ax.figure.colorbar(image, ax=ax, label="value")

    found = []
    with plt.style.context(STYLE):
        for smoothed in (False, True):
            figure, ax = aliasing.long_picture(in_grey, smoothed)
            places, pixels = aliasing.pixels_of(figure, ax, 4000, 32)
            found.append((places, pixels[..., 0] / 127.5 - 1))
            plt.close(figure)
    return found


def turning(picture, pair):
    """How many turns per position a pair seems to make in a picture (backwards if negative), from the strongest frequency."""
    places, values = picture
    hand = values[:, 2 * pair + 1] + 1j * values[:, 2 * pair]
    strength = np.abs(np.fft.fft(hand - hand.mean(), 2**14))
    return np.fft.fftfreq(2**14, places[1] - places[0])[strength.argmax()]


def test_the_picture_has_544_lines(pictures):
    """[see_stripes_text] The picture shows 4,000 positions on 544 lines, so one line for every 7.35 positions."""
    (places, values), _ = pictures
    assert len(places) == aliasing.LINES == 544 and np.allclose(np.diff(places), 4000 / 544)
    assert round(4000 / 544, 2) == 7.35
    shown = sinusoidal_pe(4000, 32)[aliasing.rows_at(places)]
    assert (np.abs(values - shown)[:, :8].max(axis=1) < 0.02).mean() > 0.99  # a line between two rows may show either


def test_the_stripes_of_column_0(pictures):
    """[reveal_stripes] In the picture, column 0 seems to turn once in 43 positions, or nine times in 400. In the table it turns once in 6.3 positions, or 64 times in 400."""
    seen = 1 / turning(pictures[0], 0)
    assert abs(seen - guesses.STRIPES.value) < 0.5 and round(400 / seen) == 9
    assert round(wavelengths(32)[0], 1) == 6.3 and round(400 / wavelengths(32)[0]) == 64 and round(64 / 9) == 7
    assert "64 waves" in guesses.STRIPES.why and "picture nine" in guesses.STRIPES.why
    assert round(1 / -turning(pictures[0], 1), 1) == 21.5  # pair 1 seems to turn backwards


def test_the_waves_that_can_be_counted():
    """[see_stripes] Read line by line from the enlarged corner, column 0 has nine waves between positions 0 and 400."""
    figure, words = shown_by(aliasing.stripes, lambda pe, ax: ax.imshow(pe, "RdBu_r", vmin=-1, vmax=1))
    seen, places = figure.axes[-1].lines[0].get_data()
    plt.close(figure)
    peaks = (seen[1:-1] > 0.8) & (seen[1:-1] > seen[:-2]) & (seen[1:-1] >= seen[2:])
    assert peaks.sum() == 9 and 0 <= places[0] < 8 and 392 < places[-1] < 400 and "pixels: 9 waves" in words


def test_apparent_turn_from_line_to_line():
    """[reveal_stripes] From one line of pixels to the next, pair 0 makes 1.17 turns but seems to make 0.17. Pair 1 makes 0.66 turns but seems to turn back by 0.34."""
    turns = 4000 / 544 / wavelengths(32)[:2]
    assert turns.round(2).tolist() == [1.17, 0.66] and (turns - 1).round(2).tolist() == [0.17, -0.34]


def test_the_smoothed_picture_is_wrong_too(pictures):
    """[see_smoothed_text] The mean absolute value of column 0 is 0.64 in the table and below 0.05 in the smoothed picture, where pair 1 is pale and still turns backwards."""
    (_, sharp), (_, smoothed) = pictures
    assert round(float(np.abs(sinusoidal_pe(4000, 32)[:, 0]).mean()), 2) == 0.64
    assert np.abs(smoothed[10:-10, 0]).mean() < 0.05 < 0.6 < np.abs(sharp[:, 0]).mean()
    assert 0.1 < np.abs(smoothed[10:-10, 2]).mean() < 0.3 and abs(1 / turning(pictures[1], 1) + 21.5) < 0.1
    assert "both pictures are wrong" in words_of(LAB, "see_smoothed_text")


def test_which_pairs_have_two_lines_for_a_turn(pictures):
    """[see_smoothed_text] Pairs 0 and 1 have fewer than two lines of pixels per turn. Pair 2 (19.9 positions per turn) and slower ones are shown correctly."""
    assert (wavelengths(32) < 2 * 4000 / 544).sum() == 2 and round(wavelengths(32)[2], 1) == 19.9
    for pair in range(2, 8):
        assert abs(turning(pictures[0], pair) * wavelengths(32)[pair] - 1) < 0.03


def test_two_lines_per_turn_can_show_nothing():
    """[see_smoothed_text] A wave needs more than two lines of pixels per turn: with exactly two, a sine may be 0 at each of them."""
    assert np.abs(np.sin(np.pi * np.arange(50))).max() < 1e-12


def test_stripes_in_the_table_and_in_the_sharp_picture():
    """[see_smoothed] Between positions 0 and 400, column 2 has 36 stripes in the table and 19 in the sharp picture."""
    assert round(400 / wavelengths(32)[1]) == 36 and round(400 / seen_wavelength(wavelengths(32)[1], 4000 / 544)) == 19


def test_no_picture_with_fewer_pixels_than_rows_shows_the_fast_pairs(pictures):
    """[quiz] Without smoothing, pair 0 seems to turn once in 43 positions instead of 6.3. With smoothing it fades."""
    second = questions.QUIZ[1]
    assert round(1 / turning(pictures[0], 0)) == 43 and np.abs(pictures[1][1][10:-10, 0]).mean() < 0.05
    assert "without smoothing can show waves that aren't in the table" in second.text and second.truth
    assert "alias" in second.reason and "6.3" in second.reason and "43" in second.reason


def test_the_waves_of_the_last_exercise():
    """[seen_wavelength_task] For the lab's stripes, the answer to the last exercise is 43 positions. 2.9 turns per line look like 0.1 of a turn backwards."""
    assert round(seen_wavelength(2 * np.pi, 4000 / 544)) == 43 and round(seen_wavelength(29, 2.9 * 29), 6) == 841


def test_answers_to_the_practice_questions():
    """[practice] In the picture, dimension 4 is the second row from the top. Pair 0 has completed 4 turns at position 29, and completes the fifth near 31."""
    assert 6 - 4 == guesses.PRACTICE_ROW.value == 2
    assert 29 // wavelengths(128)[0] == guesses.PRACTICE_TURNS.value == 4 and round(5 * wavelengths(128)[0]) == 31


def test_neighbours_of_128_dimensions():
    """[see_other_orientation] At d = 128, each pair takes 15 percent longer than the one before it to complete a turn."""
    assert np.allclose(wavelengths(128)[1:] / wavelengths(128)[:-1], 1.1548, atol=1e-4)


@pytest.mark.parametrize(
    ("dimension", "places"), [(1, [0, 6, 13, 19, 25]), (3, [0, 7, 15, 22, 29]), (5, [0, 8, 17, 25])]
)
def test_where_the_cosines_are_reddest(dimension, places):
    """[see_other_orientation] Dimension 1 is reddest near positions 0, 6, 13, 19 and 25. Dimension 3 is reddest near 0, 7, 15, 22 and 29, and dimension 5 near 0, 8, 17 and 25."""
    column = np.concatenate([[-1], sinusoidal_pe(30, 128)[:, dimension]])
    tops = [p - 1 for p in range(1, 30) if column[p] >= column[p - 1] and column[p] > column[p + 1]]
    assert tops == [place for place in places if place < 29] and (29 not in places or column[30] > 0.98)


def test_slow_columns_use_few_colours():
    """[see_colours] At T = 64, d = 32, the last sine uses 2 of 256 colours, and each of the last five cosines uses 1. A typical colour map has 256."""
    assert plt.get_cmap("RdBu_r").N == plt.get_cmap("viridis").N == 256
    words = alt_of(figures.colours_used)
    assert ", 3, 2. Cosines: " in words and words.endswith(", 3, 1, 1, 1, 1, 1.")


def test_the_last_pair_hardly_moves():
    """[what_the_picture_hides] At T = 64, d = 32, the last sine grows from 0 to 0.011, and the last cosine changes by 0.00006."""
    table = sinusoidal_pe(64, 32)
    assert round(table[-1, -2], 3) == 0.011 and round(1 - table[-1, -1], 5) == 0.00006
    assert len(np.unique(table[:, -2])) == 64


def test_the_first_pairs_make_no_whole_number_of_turns():
    """[quiz] At T = 64, d = 32, the first pair makes 10.2 turns and the second 5.7."""
    assert (64 / wavelengths(32)[:2]).round(1).tolist() == [10.2, 5.7]


def test_a_longer_table_has_no_fewer_cycles():
    """[quiz] With the same d, a longer table has at least as many pairs that complete a cycle."""
    assert all(full_cycles(T, 32) <= full_cycles(T + 1, 32) for T in range(1, 5000))
