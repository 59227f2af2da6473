"""Test lab 08's experiment: gradients are right, the rotary head turns rows as `rope` does, and results are reproducible."""

import numpy as np
import pytest

from autograder.look_back import reference
from encoding_labs.look_back import experiment
from encoding_labs.look_back.experiment import BACK, HEADS, LEARNED, ROTARY, SHORT, SINUSOIDAL, WORDS, D

PLACES = slice(5, 17)
TEXTS = np.random.default_rng(0).integers(WORDS, size=(4, 12))


def numeric(loss, at, step=1e-5):
    """Estimate the gradient of `loss()` with respect to the array `at`, using central differences. Changes `at`, then restores it."""
    gradient = np.zeros_like(at)
    for place in np.ndindex(at.shape):
        kept = at[place]
        at[place] = kept + step
        above = loss()
        at[place] = kept - step
        gradient[place] = (above - loss()) / (2 * step)
        at[place] = kept
    return gradient


def loss_of(head):
    return experiment.loss_and_gradient(head.scores(PLACES), TEXTS)[0]


def steps(head, learned):
    """How much one step of gradient descent decreases `learned`, divided by the learning rate."""
    before = learned.copy()
    head.descend(PLACES, experiment.loss_and_gradient(head.scores(PLACES), TEXTS)[1])
    return (before - learned) / experiment.RATE


def test_the_gradient_of_the_scores_agrees_with_central_differences():
    scores = np.random.default_rng(1).normal(size=(12, 12))
    wanted = numeric(lambda: experiment.loss_and_gradient(scores, TEXTS)[0], scores)
    np.testing.assert_allclose(experiment.loss_and_gradient(scores, TEXTS)[1], wanted, atol=1e-8)


@pytest.mark.parametrize(("name", "learned"), [(SINUSOIDAL, "m"), (LEARNED, "m"), (LEARNED, "rows"), (ROTARY, "u")])
def test_a_descent_follows_the_gradient_of_what_it_learns(name, learned):
    head = experiment.untrained()[name]
    start = getattr(head, "m" if learned == "rows" else learned)
    start += np.random.default_rng(2).normal(scale=0.05, size=start.shape)
    array = getattr(head, learned)
    wanted = numeric(lambda: loss_of(head), array)
    np.testing.assert_allclose(steps(head, array), wanted, atol=1e-8)


def test_the_rotary_head_turns_its_vector_and_its_keys_as_rope_does():
    head = experiment.untrained()[ROTARY]
    head.u += np.random.default_rng(3).normal(size=D)
    places = np.arange(40)
    queries = reference.rope(np.tile(head.u, (40, 1)), places)
    keys = reference.rope(np.tile([0.0, 1.0], (40, D // 2)), places)
    np.testing.assert_allclose(head.scores(slice(0, 40)), queries @ keys.T, atol=1e-5)


def test_the_same_seed_gives_the_same_curves():
    for name in HEADS:
        once, again = ([*experiment.train(experiment.untrained()[name])] for _ in range(2))
        assert once == again and len(once) == experiment.STEPS


def test_a_head_is_right_where_its_weight_is_on_the_word_three_back():
    assert (experiment.share_right(np.eye(SHORT, k=-BACK)) == 1).all()
    level = experiment.share_right(np.full((SHORT, SHORT), 1 / SHORT))
    assert 1 / WORDS < level.mean() < 0.25


def test_the_first_loss_is_that_of_even_weights():
    loss, _ = experiment.loss_and_gradient(np.zeros((12, 12)), TEXTS)
    shares = [(text == text[p - BACK]).mean() for text in TEXTS for p in range(BACK, 12)]
    assert loss == pytest.approx(-np.log(shares).mean())


def test_the_rotation_part_of_a_shift_is_the_shift():
    shift = reference.rope(np.eye(D), np.full(D, BACK)).T
    np.testing.assert_allclose(experiment.rotation_part(shift), shift, atol=1e-15)
    np.testing.assert_allclose(experiment.turns(shift), np.exp(1j * BACK * reference.frequencies(D)), atol=1e-15)


def test_a_reflection_has_no_rotation_part():
    assert not experiment.rotation_part(np.diag(np.tile([1.0, -1.0], D // 2))).any()
