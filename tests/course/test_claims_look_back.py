"""Test the claims of lab 08 in float64. Each docstring has a cell's id in brackets, then a claim in that cell, quoted or summed up."""

import re
from functools import cache

import numpy as np
import pytest
from lab_words import alt_of, words_of

from autograder.look_back import reference
from encoding_labs.look_back import experiment, figures, guesses, learning
from encoding_labs.look_back.experiment import ANYWHERE, HEADS, LEARNED, NONE, ROTARY, SINUSOIDAL
from encoding_labs.look_back.figures import D
from encoding_labs.tokens import embed

LAB = "08_look_back"
TABLE = reference.table(64, 32)
BACK = {gain: reference.look_back(TABLE, 3, gain) for gain in (1, 2, 4)}
AFTER = np.arange(3, 64)


def shift(offset, d):
    """The matrix R with PE(p + offset) = R @ PE(p), computed by applying `rope` to unit vectors."""
    return reference.rope(np.eye(d), np.full(d, offset)).T


def test_the_head_looks_three_back():
    """[see_look_back] With gains 1, 2 and 4, the head's largest weight in every row p >= 3 is at p - 3."""
    assert all((weights[AFTER].argmax(axis=1) == AFTER - 3).all() for weights in BACK.values())


def test_how_sharply_it_looks():
    """[cheat_sheet] For p >= 3, the weight at p - 3 is at least 0.88 with gain 4, and between 0.40 and 0.57 with gain 1."""
    share = {gain: weights[AFTER, AFTER - 3] for gain, weights in BACK.items()}
    assert 0.88 <= share[4].min() < 0.89
    assert [round(share[1].min(), 2), round(share[1].max(), 2)] == [0.40, 0.57]


def test_the_first_rows_look_at_position_0():
    """[see_look_back_text] The first three rows have no token three positions back, but their weights must still add up to 1. Position 0 gets the largest share."""
    for weights in BACK.values():
        assert (weights[:3].argmax(axis=1) == 0).all()
        np.testing.assert_allclose(weights.sum(axis=1), 1)


def test_how_much_row_0_gives_position_0():
    """[see_look_back_text] Row 0 gives 15 percent of its weight to position 0 at gain 1, and 65 percent at gain 4."""
    assert [round(BACK[gain][0, 0], 2) for gain in (1, 4)] == [0.15, 0.65]


def test_how_much_the_first_rows_give_position_0():
    """[see_look_back] The first three rows give 0.15, 0.39 and 0.66 of their weight to position 0 at gain 1, and 0.65, 1.00 and 1.00 at gain 4."""
    told = alt_of(figures.looking_back, reference.look_back)
    for gain in (1, 4):
        shares = ", ".join(f"{weight:.2f}" for weight in BACK[gain][:3, 0])
        assert f"At gain {gain}, 100 % of the rows" in told and f"give {shares} to position 0" in told
    assert BACK[1][:3, 0].round(2).tolist() == [0.15, 0.39, 0.66]


def test_the_score_also_depends_only_on_the_offset_if_rows_turn_the_other_way():
    """[rope_task] If x and y are turned the other way, by R(-p) and R(-q), their score is x · R(p - q) y: a different number, but it still depends only on the offset."""
    x, y = np.random.default_rng(0).normal(size=(2, 16))
    scores = [(shift(-p, 16) @ x) @ (shift(-q, 16) @ y) for p, q in ((5, 0), (18, 13))]
    np.testing.assert_allclose(scores, x @ shift(5, 16) @ y)
    assert abs(scores[0] - x @ shift(-5, 16) @ y) > 0.1


def test_the_turned_query_is_the_row_of_another_position():
    """[why] Turning the row of position p back by the offset gives the row of position p - offset."""
    np.testing.assert_allclose((TABLE @ shift(-3, 32).T)[3:], TABLE[:-3], atol=1e-13)


def test_rotations_of_query_and_key_leave_the_offset():
    """[rope_task] R(p)ᵀ R(q) = R(q - p), so the score of two turned rows depends only on their words and their offset."""
    for p, q in ((0, 5), (7, 7), (40, 13)):
        np.testing.assert_allclose(shift(p, 16).T @ shift(q, 16), shift(q - p, 16), atol=1e-14)


def test_the_same_turn_of_all_queries_and_keys_changes_no_weight():
    """[quiz] If all queries and all keys are turned by the same rotation, every score stays as it is. Turning only the queries changes scores."""
    queries, keys = np.random.default_rng(0).normal(size=(2, 6, 16))
    turned = [reference.rope(rows, np.full(6, 5)) for rows in (queries, keys)]
    np.testing.assert_allclose(turned[0] @ turned[1].T, queries @ keys.T, atol=1e-13)
    assert np.abs(turned[0] @ keys.T - queries @ keys.T).max() > 1


def test_the_matrix_of_the_lab_is_the_one_that_turns():
    """[why] In row t, pair k is multiplied by [[cos a, sin a], [-sin a, cos a]], where a is positions[t] times omega_k."""
    angle = 5 * reference.frequencies(8)[1]
    wanted = [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
    np.testing.assert_allclose(shift(5, 8)[2:4, 2:4], wanted, atol=1e-15)


def test_turning_the_row_of_position_0_makes_the_table():
    """[rope_task] From (0, 1, 0, 1, …), the row of position 0, rope makes the row of any position p."""
    np.testing.assert_allclose(reference.rope(np.tile([0.0, 1.0], (64, 16)), np.arange(64)), TABLE, atol=1e-15)


def test_the_score_depends_only_on_the_offset_if_both_rows_are_turned():
    """[see_rope] The score of cat for mat, 5 positions earlier, is 1.9 everywhere if both query and key are turned. It varies from -0.1 to 3.0 if only the query is turned, and from 0.1 to 3.9 if the table is added."""
    p, (cat, mat) = np.arange(5, 65), (np.tile(np.sqrt(D) * embed(word, D), (60, 1)) for word in ("cat", "mat"))
    table = reference.table(65, D)
    both = (reference.rope(cat, p) * reference.rope(mat, p - 5)).sum(axis=1) / np.sqrt(D)
    alone = (reference.rope(cat, p) * mat).sum(axis=1) / np.sqrt(D)
    added = ((cat + table[p]) * (mat + table[p - 5])).sum(axis=1) / np.sqrt(D)
    assert np.ptp(both) < 1e-12 and round(both[0], 1) == 1.9
    assert [round(x, 1) for x in (alone.min(), alone.max(), added.min(), added.max())] == [-0.1, 3.0, 0.1, 3.9]


TRAINED = cache(experiment.trained)


def share(name):
    return float(TRAINED()[name].short.mean()), float(TRAINED()[name].long.mean())


def two_digits(*numbers):
    return [f"{number:.2f}" for number in numbers]


def below(loss, name):
    """The first training step at which the head's loss is below `loss`."""
    return int(np.argmax(TRAINED()[name].losses < loss))


def sinusoidal_m():
    return TRAINED()[SINUSOIDAL].head.m


def right_with(m, T):
    rows = reference.table(T, experiment.D)
    return experiment.share_right(experiment.softmax(rows @ m @ rows.T))


told_of_curves = cache(lambda: alt_of(learning.curves, reference.look_back))


@pytest.mark.parametrize(
    ("name", "short", "long"),
    [
        (NONE, "0.22", "0.17"),
        (LEARNED, "1.00", "0.33"),
        (SINUSOIDAL, "1.00", "0.90"),
        (ANYWHERE, "1.00", "1.00"),
        (ROTARY, "1.00", "1.00"),
    ],
)
def test_how_often_each_head_is_right(name, short, long):
    """[see_curves] Fraction correct at lengths 32 and 128: without positions 0.22 and 0.17, learned table 1.00 and 0.33, sinusoidal 1.00 and 0.90, sinusoidal with random starts 1.00 and 1.00, rotary 1.00 and 1.00."""
    assert two_digits(*share(name)) == [short, long]
    assert f"{name} ({short}, {long})" in told_of_curves()


def test_which_heads_learn_the_task_and_which_fail_beyond_32():
    """[see_curves] Four of the five heads learn the task. Beyond position 32 the learned table and the sinusoidal head fail; the learned table is worst."""
    learned = [name for name in HEADS if share(name)[0] > 0.99]
    assert learned == [LEARNED, SINUSOIDAL, ANYWHERE, ROTARY]
    assert [name for name in learned if share(name)[1] < 0.95] == [LEARNED, SINUSOIDAL]
    assert min(learned, key=lambda name: share(name)[1]) == LEARNED


def test_other_dimensions_give_other_numbers(monkeypatch):
    """[see_curves] The fractions correct depend on the setup. With 16 dimensions, for example, the sinusoidal head is not right 0.90 of the time at length 128."""
    monkeypatch.setattr(experiment, "D", 16)
    head = experiment.untrained()[SINUSOIDAL]
    assert min(experiment.train(head)) < 0.1
    right = experiment.share_right(experiment.softmax(head.scores(slice(0, experiment.LONG)))).mean()
    assert two_digits(right) != ["0.90"]


def test_the_head_written_by_hand_is_always_right():
    """[see_curves] The head written by hand, with gain 4, is always right, at lengths 32 and 128."""
    assert learning.by_hand(reference.look_back) == [1, 1]
    assert "your look_back is between 1.00 and 1.00" in told_of_curves()
    assert "your look_back is between 0." in alt_of(learning.curves, lambda pe, offset, gain: np.eye(len(pe)))


def test_without_positions_a_head_names_the_commonest_word():
    """[see_curves] Without positions all weights are equal, so the head's most likely answer is the most common word in the text."""
    weights = experiment.softmax(TRAINED()[NONE].head.scores(slice(0, 32)))
    np.testing.assert_allclose(weights, 1 / 32)


def test_which_loss_falls_first():
    """[see_curves] The loss falls below 0.10 after 16 steps with the learned table, 146 with the rotary head and 294 with the sinusoidal head."""
    steps = [below(0.1, name) for name in (LEARNED, ROTARY, SINUSOIDAL)]
    told = re.search(
        r"after (\d+) steps, the rotary head's after (\d+), the sinusoidal head's after (\d+)", learning.MEANING[0]
    )
    assert steps == [int(number) for number in told.groups()] == [16, 146, 294]


def test_where_the_sinusoidal_head_fails():
    """[see_curves] In texts of length 128, the sinusoidal head is right 0.73 of the time at positions 32 to 63, 0.92 at 64 to 95 and 0.95 at 96 to 127."""
    long = TRAINED()[SINUSOIDAL].long
    parts = two_digits(*(long[start - 3 : start + 29].mean() for start in (32, 64, 96)))
    assert parts == ["0.73", "0.92", "0.95"]
    assert long[:29].min() > 0.99


def test_random_starts_show_every_row_in_texts_of_32():
    """[experiment] With random starts from 0 to 96, texts of length 32 cover all 128 rows, and the head is right at each of them."""
    assert experiment.LONG - experiment.SHORT == 96
    assert TRAINED()[ANYWHERE].long.min() > 0.99 and TRAINED()[ROTARY].long.min() > 0.99


def test_the_learned_rows_beyond_32_stay_untrained():
    """[experiment] Rows 32 and later of the learned table keep their initial values."""
    rows, start = TRAINED()[LEARNED].head.rows, experiment.untrained()[LEARNED].rows
    np.testing.assert_array_equal(rows[32:], start[32:])
    assert np.abs(rows[:32] - start[:32]).min() > 0


def degrees(turns):
    return np.degrees(np.angle(turns))[:5].round(1).tolist()


ASKED = np.degrees(3 * reference.frequencies(32))


def test_one_step_finds_the_angles_of_the_first_four_pairs():
    """[see_film] After one step, pairs 0 to 4 turn by 173.7, 98.2, 54.8, 30.9 and 23.1 degrees; 3 ω is 171.9, 96.7, 54.4, 30.6 and 17.2. The first four are within 2 degrees after step 1 and stay there."""
    found = {step: degrees(experiment.turns(m)) for step, m in experiment.filmed().items() if step}
    assert found[1] == [173.7, 98.2, 54.8, 30.9, 23.1]
    assert ASKED[:5].round(1).tolist() == [171.9, 96.7, 54.4, 30.6, 17.2]
    near = [step for step, angles in found.items() if np.abs(angles[:4] - ASKED[:4]).max() < 2]
    assert near == [*found] and guesses.STEPS.value == near[0] == 1


def test_all_later_steps_lengthen_the_hands():
    """[see_film] From step 1 to step 1,000 the strength of pair 0 grows from 0.03 to 7.37, and the rows of a text of 128 words whose largest weight is three back, from 6 to 87 percent. The first four hands turn by less than 2 degrees."""
    frames, told = experiment.filmed(), learning.recorded(np.ones(16))
    strength = [abs(experiment.turns(frames[step])[0]) for step in (1, experiment.STEPS)]
    right = dict(zip(told["steps"], told["right"]))
    assert two_digits(*strength) == ["0.03", "7.37"] and [right[1], right[experiment.STEPS]] == [6, 87]
    assert "from 6 to 87 percent" in guesses.STEPS.why
    ends = [np.angle(experiment.turns(frames[step]))[:4] for step in (1, experiment.STEPS)]
    assert np.degrees(np.abs(ends[0] - ends[1])).max() < 2
    assert "the first four hands by less than 2 degrees" in guesses.STEPS.why


def test_the_first_step_is_one_look_blurred():
    """[see_film] From M = 0, the first step adds for each query the mean key of the right word's places, and subtracts the mean of all keys."""
    table, texts = reference.table(32, 32), np.random.default_rng(experiment.SEED + 1).integers(8, size=(16, 32))
    step = np.zeros((32, 32))
    for text in texts:
        for p in range(3, 32):
            step += np.outer(table[p], table[text == text[p - 3]].mean(axis=0) - table.mean(axis=0))
    found = experiment.filmed()[1]
    np.testing.assert_allclose(found, experiment.RATE * step / (29 * 16), atol=1e-6)


@pytest.mark.parametrize(("T", "d", "offset"), [(32, 32, 3), (128, 32, 3), (20, 8, 7)])
def test_the_blocks_of_one_look_turn_by_exactly_the_right_angles(T, d, offset):
    """[see_film] For every pair, the block of one_look turns by offset times ω: 171.887, 96.659, 54.356, 30.566 and 17.189 degrees at d = 32 and offset 3."""
    found = experiment.turns(reference.one_look(reference.table(T, d), offset))
    np.testing.assert_allclose(found / np.abs(found), np.exp(1j * offset * reference.frequencies(d)), atol=1e-12)
    if d == 32:
        assert np.degrees(np.angle(found))[:5].round(3).tolist() == [171.887, 96.659, 54.356, 30.566, 17.189]


def test_a_pair_times_itself_turns_nothing():
    """[see_film] The outer product of a pair with itself is symmetric, so its block has no turn."""
    assert np.abs(np.angle(experiment.turns(np.outer(TABLE[5], TABLE[5])))).max() < 1e-15


def test_with_the_shift_as_m_the_key_before_gets_the_highest_score():
    """[why] With M = R(3), key p - 3 gets the highest score of query p. M starts at 0 with d = 32."""
    scores = TABLE @ shift(3, 32) @ TABLE.T
    assert (scores[AFTER].argmax(axis=1) == AFTER - 3).all() and experiment.D == 32
    text = words_of(LAB, "why")
    assert (
        "starts with $M=0$ at $d=32$" in text and f"{experiment.TEXTS} texts of {experiment.SHORT} random words" in text
    )
    assert f"{experiment.STEPS:,} steps" in text


def test_the_fast_pairs_are_the_strongest():
    """[see_matrix] Pairs 0 to 4 turn by 3 ω, to within 2 degrees, with strengths 7.37, 3.32, 1.70, 0.92 and 0.41. Later pairs turn by other angles, with strengths of 0.15 or less."""
    turns = experiment.turns(sinusoidal_m())
    off, strength = np.abs(np.degrees(np.angle(turns)) - ASKED), np.abs(turns)
    assert off[:5].max() < 2 < 4 < off[5:].min()
    assert two_digits(*strength[:5]) == ["7.37", "3.32", "1.70", "0.92", "0.41"]
    assert strength[5:].max() < 0.155


def test_most_of_m_is_rotation():
    """[see_matrix] In the learned matrix M, the rotations in the diagonal blocks account for 97 percent of the sum of squares."""
    m = sinusoidal_m()
    assert round((experiment.rotation_part(m) ** 2).sum() / (m**2).sum(), 2) == 0.97


def test_the_rotations_alone_are_right_everywhere():
    """[see_matrix] With only the rotations in M, the head is right 1.00 of the time at lengths 128 and 512. With the whole M, it is right 0.90 of the time at 128 and 0.74 at 512."""
    m = sinusoidal_m()
    for T, whole in ((128, "0.90"), (512, "0.74")):
        alone = right_with(experiment.rotation_part(m), T)
        assert alone.min() > 0.99 and two_digits(alone.mean(), right_with(m, T).mean()) == ["1.00", whole]
    assert guesses.ROTATIONS.value == 1


def test_a_diagonal_m_looks_ahead_as_much_as_back():
    """[see_matrix] With a diagonal M, the score of p for q is exactly the score of q for p."""
    rows = reference.table(40, 32)
    scores = rows @ np.diag(np.random.default_rng(0).normal(size=32)) @ rows.T
    np.testing.assert_allclose(scores, scores.T, atol=1e-13)


def test_chance_and_the_whole_m():
    """[experiment] With 8 words, guessing is right 0.125 of the time. At 128 words the sinusoidal head is right 0.90 of the time."""
    text = words_of(LAB, "experiment")
    assert 1 / experiment.WORDS == 0.125 and f"right {share(SINUSOIDAL)[1]:.2f} of the time" in text


def test_where_heads_fail_beyond_32():
    """[see_curves] Beyond 32 the sinusoidal head is right less than half the time near positions 35 to 46, 79 and 115, and nearly always in between. The learned table is near chance."""
    long = dict(enumerate(TRAINED()[SINUSOIDAL].long, 3))
    low = [p for p in range(128) if long.get(p, 1) < 0.5]
    assert {p for p in low if p < 60} == {*range(35, 47)} and {79, 115} <= {*low}
    assert all(min(abs(p - near) for near in (40, 79, 115)) <= 6 for p in low)
    assert min(long[p] for p in (*range(50, 74), *range(86, 110), *range(120, 128))) > 0.95
    learned = TRAINED()[LEARNED].long[32:]
    assert learned.max() < 0.3 and abs(learned.mean() - 1 / 8) < 0.02
    losses = [TRAINED()[name].losses for name in (SINUSOIDAL, ANYWHERE)]
    assert np.abs(np.log10(losses[0]) - np.log10(losses[1]))[10:].max() < 0.15
    assert abs(TRAINED()[NONE].losses[-100:].mean() - 2) < 0.1
    assert 1 / 8 < TRAINED()[NONE].long.min() and TRAINED()[NONE].long.max() < 0.25


def test_where_the_sinusoidal_head_looks():
    """[see_film] The sinusoidal head's weights have one line, 3 below the diagonal. Beyond position 32 this line is pale in places, and there are faint weights far from it."""
    weights = experiment.softmax(TRAINED()[SINUSOIDAL].head.scores(slice(0, 128)))
    line = np.diagonal(weights, -3)  # for positions from 3 on
    assert line[:29].min() > 0.5 > line[29:].min() and line[29:].max() > 0.9
    far = np.where(np.abs(np.arange(128)[:, None] - np.arange(128) - 3) > 10, weights, 0)
    assert 0.05 < far[32:].max() and far[3:32, :32].max() < 0.05


def test_which_pairs_are_drawn_and_where_the_rest_of_m_is():
    """[see_matrix] Six pairs have strengths above 0.1. Without its rotations, the learned matrix M has entries of both signs. They are largest within and between pairs 2, 3 and 4."""
    m = sinusoidal_m()
    assert (np.abs(experiment.turns(m)) > 0.1).tolist() == [True] * 6 + [False] * 10
    rest = m - experiment.rotation_part(m)
    largest = np.argwhere(np.abs(rest) > 0.75 * np.abs(rest).max())
    assert {int(i) // 2 for i in largest.ravel()} <= {2, 3, 4} and rest.min() < 0 < rest.max()
