"""Test the claims of lab 06 in float64. Each docstring has a cell's id in brackets, then a claim in that cell, quoted or summed up."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from lab_words import alt_of, shown_by

from autograder.look_back.reference import look_back
from autograder.order_for_attention import reference
from encoding_labs.order_for_attention import figures, guesses
from encoding_labs.order_for_attention.figures import ONE, OTHER, PLACES, D
from encoding_labs.tokens import embed

LAB = "06_order_for_attention"
WORDS, EXCHANGED = (np.sqrt(D) * embed(text, D).astype(np.float64) for text in (ONE, OTHER))
SWAP = list(PLACES)


def moved(one, other):
    return np.linalg.norm(one - other[SWAP], axis=1)


def causal(x):
    return np.array([reference.attention(x[: p + 1])[p] for p in range(len(x))])


def test_permuting_tokens_permutes_the_outputs():
    """[see_blind] Exchanging two rows of X exchanges the same two rows of the output and changes nothing else."""
    assert moved(reference.attention(WORDS), reference.attention(EXCHANGED)).max() < 1e-14


def test_equal_words_get_equal_outputs():
    """[see_blind] In each picture, the two rows for "the" are equal."""
    output = reference.attention(WORDS)
    assert np.abs(output[0] - output[4]).max() < 1e-14


def test_a_causal_mask_is_not_blind():
    """[see_blind] Under a causal mask, exchanging cat and mat changes the outputs of all words except the first."""
    moves = moved(causal(WORDS), causal(EXCHANGED))
    np.testing.assert_allclose(moves, (0, 0.45, 0.14, 0.06, 0.06, 0.39), atol=0.005)
    assert moves[0] < 1e-14 and (moves[1:] > 0.01).all()


def test_the_right_picture_has_the_measured_distances():
    """[predict] Under a causal mask, each word's output moves as in picture C. Without a mask it moves as in picture A. The other two pictures show neither."""
    shown = {letter: bars_of(draw) for letter, draw in guesses.CHANGED.draw.items()}
    masked, full = moved(causal(WORDS), causal(EXCHANGED)), moved(*map(reference.attention, (WORDS, EXCHANGED)))
    agree = {
        letter: [np.allclose(heights, moves, atol=0.005) for moves in (masked, full)]
        for letter, heights in shown.items()
    }
    assert agree == {"A": [False, True], "B": [False, False], "C": [True, False], "D": [False, False]}
    assert guesses.CHANGED.right == "C"


def bars_of(draw):
    """The heights of the bars in a small picture."""
    figure, ax = plt.subplots()
    draw(ax)
    plt.close(figure)
    return [bar.get_height() for bar in ax.patches]


def test_a_causal_mask_is_attention_to_earlier_tokens():
    """[see_blind] Under a causal mask, a token's output is the last row of attention applied to the text up to that token."""
    scores = np.where(np.tri(len(WORDS), dtype=bool), WORDS @ WORDS.T / np.sqrt(D), -np.inf)
    np.testing.assert_allclose(reference.softmax(scores) @ WORDS, causal(WORDS), atol=1e-14)


def test_without_positions_only_the_mask_makes_order_matter():
    """[see_blind] Without positions, only the causal mask makes order matter. With positions, order matters without a mask too."""
    drawn, _ = shown_by(figures.causal, reference.attention)
    assert drawn.axes[0].get_title("left") == "Without positions, only the causal mask makes order matter"
    with_positions = [reference.add_positions(embed(text, D), 4) for text in (ONE, OTHER)]
    without = [4 * embed(text, D).astype(np.float64) for text in (ONE, OTHER)]
    assert moved(*map(reference.attention, with_positions)).min() > 0.01
    assert moved(*map(reference.attention, without)).max() < 1e-14 and moved(*map(causal, without))[1:].min() > 0.01


def test_positions_end_the_blindness():
    """[see_ordered] With positions added, every word's output moves: cat by 2.0, mat by 1.7, sat by 0.3, and the others by 0.07 or less."""
    moves = moved(*(reference.attention(reference.add_positions(embed(text, D), 4)) for text in (ONE, OTHER)))
    told = alt_of(figures.ordered, reference.attention, reference.add_positions)
    assert moves.min() > 0.01 and moves[[1, 5, 2]].round(1).tolist() == [2.0, 1.7, 0.3]
    assert "the 0.02, cat 2.04, sat 0.28, on 0.07, the 0.04, mat 1.73" in told and moves[[0, 3, 4]].max() < 0.08


@pytest.mark.parametrize("d", [8, 16, 32, 512])
def test_lengths_of_words_and_positions(d):
    """[see_balance_text] A row of PE has length √(d/2) and a row of embed has length 1. Multiplied by √d, a word of length 1 is √2 times as long as a row of PE."""
    lengths = np.linalg.norm(reference.table(50, d), axis=1)
    np.testing.assert_allclose(lengths, np.sqrt(d / 2))
    np.testing.assert_allclose(np.linalg.norm(embed(ONE, d), axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(np.sqrt(d) / lengths, np.sqrt(2))


def test_how_much_longer_a_position_is():
    """[see_balance_text] A position's row is 2.8 times as long as a word's row of length 1 at d = 16, and 16 times as long at d = 512."""
    assert round(np.sqrt(16 / 2), 1) == 2.8 and np.sqrt(512 / 2) == 16


def test_the_scale_decides_which_rows_are_alike():
    """[see_balance] The cosine between the two rows for "the" is 0.77 at scale 1, lower than between most adjacent rows. At scale 4 it is 0.92, higher than for any other two rows. At scale 1, adjacent rows are more alike than any others."""
    for scale, wanted in ((1, 0.77), (4, 0.92)):
        x = reference.add_positions(embed(ONE, D), scale)
        unit = x / np.linalg.norm(x, axis=1, keepdims=True)
        cosines = unit @ unit.T
        others = cosines[~np.eye(6, dtype=bool)]
        assert round(cosines[0, 4], 2) == wanted
        if scale == 1:
            apart = np.abs(np.subtract.outer(range(6), range(6))) > 1
            assert np.diagonal(cosines, 1).min() > cosines[apart].max()
            assert others.min() > 0.6 and np.diagonal(cosines, 1)[[0, 1, 3]].min() > wanted
        else:
            assert np.sort(others)[-3] < 0.51


def test_four_parts_add_up():
    """[score_parts_task] The four parts add up to the scores of X = E + P."""
    x = WORDS + reference.table(6, D)
    parts = reference.score_parts(WORDS, reference.table(6, D))
    np.testing.assert_allclose(parts.sum(axis=0), x @ x.T / np.sqrt(D), atol=1e-12)
    np.testing.assert_array_equal(parts[1], parts[2].T)
    assert np.abs(parts[1] - parts[2]).max() > 0.5


def test_similarity_of_words():
    """[see_parts] The content-content part is 4.0 on the diagonal and between the two rows for "the". For other pairs of words it is between -1.1 and 1.5. Three rows of the content-position part are positive and three negative."""
    content, mixed = reference.score_parts(WORDS, reference.table(6, D))[:2]
    assert sorted(np.sign(mixed).sum(axis=1)) == [-6] * 3 + [6] * 3
    words = np.array(ONE.split())
    others = content[words[:, None] != words]
    told = alt_of(figures.parts, reference.score_parts)
    assert np.allclose(content[words[:, None] == words], 4, atol=1e-6)
    assert [others.min().round(1), others.max().round(1)] == [-1.1, 1.5]
    assert "from 4.0 to 4.0 for equal words, from -1.1 to 1.5 for others" in told
    assert "positive throughout in 3 rows and 0 columns, negative in 3 and 0" in told


def test_position_meets_position_by_the_offset_alone():
    """[score_parts_task] The position-position part is constant along each diagonal and the same for any words. In this text, all its entries are positive, and those of the main diagonal are the highest."""
    last = reference.score_parts(WORDS, reference.table(6, D))[3]
    assert last[0, 1:].max() < last[0, 0]
    assert max(np.ptp(np.diagonal(last, offset)) for offset in range(6)) < 1e-14 and last.min() > 0
    np.testing.assert_array_equal(last, reference.score_parts(WORDS[::-1], reference.table(6, D))[3])


def test_the_first_picture_looks_three_back_whatever_the_words():
    """[title] For every query from position 3 on, in a text of up to 8 words, the head's largest weight is three places back. No word enters its scores."""
    for T in range(4, 9):
        weights = look_back(reference.table(T, 32), 3, 2)
        assert (weights[3:].argmax(axis=1) == np.arange(T - 3)).all()


def test_an_average_without_a_mask_has_no_order_in_any_layer():
    """[order_from_mask] Without a mask, exchanging tokens exchanges outputs and changes nothing else, also after a second layer. With a causal mask it changes both layers."""

    def two(attend, x):
        return attend(attend(x))

    assert moved(two(reference.attention, WORDS), two(reference.attention, EXCHANGED)).max() < 1e-14
    assert moved(two(causal, WORDS), two(causal, EXCHANGED))[1:].min() > 0.01
