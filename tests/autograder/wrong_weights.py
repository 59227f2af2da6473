"""Wrong functions from scores to weights, which labs 06 and 08 share."""

import numpy as np


def softmax(scores):
    grown = raised(scores)
    return grown / grown.sum(axis=1, keepdims=True)


def masked(scores, seen):
    return softmax(np.where(seen, scores, -1e9))


def lower(scores):
    return np.tri(len(scores), dtype=bool)


def raised(scores):
    """Exponentiate after subtracting the largest score of each row."""
    return np.exp(scores - scores.max(axis=1, keepdims=True))


def over_columns(grown):
    return grown / grown.sum(axis=0)


# Functions from scores to weights, by the id of the mistake.
WRONG_WEIGHTS = {
    "softmax-axis": [lambda scores: softmax(scores.T).T, lambda scores: over_columns(raised(scores))],
    "softmax-missing": [
        lambda scores: scores,
        lambda scores: scores / scores.sum(axis=1, keepdims=True),
        lambda scores: scores / scores.max(axis=1, keepdims=True),
    ],
    "softmax-twice": [lambda scores: softmax(softmax(scores))],
    "weights-not-normalised": [
        np.exp,
        lambda scores: np.exp(scores - 4),
        raised,
        lambda scores: np.exp(scores) / np.exp(scores).sum(),
    ],
    "masked": [lambda scores: masked(scores, lower(scores)), lambda scores: np.tril(softmax(scores))],
    "masked/earlier": [lambda scores: masked(scores, lower(scores).T), lambda scores: np.triu(softmax(scores))],
    "masked/scores-of-0": [lambda scores: softmax(np.tril(scores))],
    "own-token-masked": [lambda scores: masked(scores, ~np.eye(len(scores), dtype=bool))],
    "scores-negated": [lambda scores: softmax(-scores)],
    "weights-alike": [lambda scores: np.full(scores.shape, 1 / len(scores))],
}
# Combinations of these with wrong scores, or with each other, that are likely in one answer.
WITH_WRONG_SCORES = {
    **{
        id: WRONG_WEIGHTS[id]
        for id in ("masked", "masked/earlier", "masked/scores-of-0", "own-token-masked", "softmax-axis")
    },
    "weights-not-normalised/and": WRONG_WEIGHTS["weights-not-normalised"],
}
TWICE_WRONG = {
    "masked softmax-axis": [lambda scores: masked(scores.T, lower(scores).T).T],
    "masked softmax-twice": [lambda scores: masked(softmax(scores), lower(scores))],
    "masked weights-not-normalised/and": [lambda scores: np.tril(np.exp(scores))],
    "scores-negated masked": [lambda scores: masked(-scores, lower(scores))],
    "scores-negated softmax-axis": [lambda scores: softmax(-scores.T).T],
}
