"""Formulas for the known mistakes in lab 08, a head that learns to look back. Each returns the values that a mistake leads to."""

import numpy as np

from autograder.attention import exact
from labkit.author.source.wrong_formulas import telling

from .reference import blocks, one_look
from .wrong_heads import LOOK_BACK, READ_HEAD
from .wrong_turns import ROPE


def of_examples(product):
    """Make a formula from the rows that are queries and the rows that are their keys."""
    return lambda pe, offset: product(exact(pe)[offset:], exact(pe)[: len(pe) - offset])


def divided_by(count):
    return lambda pe, offset: telling(one_look(pe, offset) / count(len(pe), offset, pe.shape[1]))


def rotations_of(m):
    turn = 2 * blocks(m)
    return np.kron(np.diag(turn.real), np.eye(2)) + np.kron(np.diag(turn.imag), [[0, 1], [-1, 0]])


ONE_LOOK = {
    "looks-forward": of_examples(lambda queries, keys: keys.T @ queries),
    "shift-forgotten": lambda pe, offset: exact(pe).T @ exact(pe),
    "circular-roll": [
        lambda pe, offset: exact(pe).T @ np.roll(exact(pe), offset, axis=0),
        lambda pe, offset: exact(pe).T @ np.roll(exact(pe), -offset, axis=0),
    ],
    "one-example": [
        lambda pe, offset: np.outer(exact(pe)[offset], exact(pe)[0]),
        lambda pe, offset: np.outer(exact(pe)[-1], exact(pe)[len(pe) - 1 - offset]),
    ],
    "example-missing": [
        of_examples(lambda queries, keys: queries[1:].T @ keys[1:]),
        of_examples(lambda queries, keys: queries[:-1].T @ keys[:-1]),
    ],
    "averaged": [
        divided_by(lambda T, offset, d: T - offset),
        divided_by(lambda T, offset, d: T),
        divided_by(lambda T, offset, d: d),
        divided_by(lambda T, offset, d: np.sqrt(d)),
    ],
    "rotations-alone": [
        lambda pe, offset: rotations_of(one_look(pe, offset)),
        lambda pe, offset: rotations_of(one_look(pe, offset)) / 2,
    ],
    "wrong-product/axis": [
        of_examples(lambda queries, keys: queries @ keys.T),
        of_examples(lambda queries, keys: keys @ queries.T),
    ],
    "wrong-product/elementwise": of_examples(lambda queries, keys: queries * keys),
}

WRONG = {"one_look": ONE_LOOK, "look_back": LOOK_BACK, "rope": ROPE, "read_head": READ_HEAD}
