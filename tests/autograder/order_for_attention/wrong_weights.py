"""Wrong formulas for `attention`, most of which turn scores into weights incorrectly."""

import numpy as np

from autograder.attention import exact
from autograder.wrong_weights import TWICE_WRONG, WITH_WRONG_SCORES, WRONG_WEIGHTS, lower, masked, softmax
from labkit.author.source.wrong_formulas import telling

from .reference import attention


def products(x):
    return exact(x) @ exact(x).T


def scores_of(x):
    return products(x) / np.sqrt(x.shape[1])


def averages(weigh, by=lambda T, d: 1):
    """Make a formula for `attention` with `weigh`, a wrong function from scores to weights. All scores are multiplied by a factor."""

    def formula(x):
        factor = by(*x.shape)
        weights = weigh(scores_of(x) * factor)
        return telling(weights @ exact(x), sum=weights[0].sum(), factor=factor)

    return formula


def root(T, d):
    return np.sqrt(d)


def steeper(by):
    """Make a formula for `attention` that multiplies all scores by a factor, `by(T, d)`."""
    return averages(softmax, by)


def divided_by(whole):
    """Make a formula for `attention` that divides the scores by the root of d as a whole number."""
    return lambda x: telling(
        softmax(products(x) / whole(root(*x.shape))) @ exact(x), d=x.shape[1], used=whole(root(*x.shape))
    )


def of_columns(make):
    """Make a formula from x and the dot products of its columns. The feedback message gets the shape of x."""
    return lambda x: telling(make(exact(x), exact(x).T @ exact(x)), given=[*x.shape])


def cosines(x):
    lengths = np.linalg.norm(exact(x), axis=1)
    return products(x) / np.outer(lengths, lengths)


def distances(x):
    return -np.linalg.norm(exact(x)[:, None] - exact(x), axis=2)


ATTENTION = {
    **{id: [averages(way) for way in ways] for id, ways in WRONG_WEIGHTS.items()},
    "softmax-missing": [
        *map(averages, WRONG_WEIGHTS["softmax-missing"]),
        averages(lambda scores: scores, root),
    ],
    **{id: [averages(way) for way in ways] for id, ways in TWICE_WRONG.items()},
    **{f"scores-not-scaled {id}": [averages(way, root) for way in ways] for id, ways in WITH_WRONG_SCORES.items()},
    **{
        f"scaled-by-length {id}": [averages(way, lambda T, d: np.sqrt(d / T)) for way in WRONG_WEIGHTS[id]]
        for id in ("masked", "softmax-axis")
    },
    "scores-not-scaled scores-negated": averages(lambda scores: softmax(-scores), root),
    "scores-not-scaled residual-added/and": lambda x: telling(
        exact(x) + softmax(products(x)) @ exact(x), factor=root(*x.shape)
    ),
    "masked residual-added/and": lambda x: exact(x) + masked(scores_of(x), lower(x)) @ exact(x),
    "scores-not-scaled": [steeper(root), steeper(lambda T, d: d)],
    "scores-not-scaled/whole-root": [divided_by(int), divided_by(round)],
    "over-normalised": [steeper(lambda T, d: 1 / np.sqrt(d))],
    "scaled-by-length": [steeper(lambda T, d: np.sqrt(d / T)), steeper(lambda T, d: np.sqrt(d) / T)],
    "scaled-after-softmax": lambda x: softmax(products(x)) / np.sqrt(x.shape[1]) @ exact(x),
    "scaled-values": [
        lambda x: attention(x) / x.shape[1] ** 0.25,
        lambda x: attention(x) / np.sqrt(x.shape[1]),
        lambda x: attention(x) * np.sqrt(x.shape[1]),
        lambda x: attention(x) / len(x),
        lambda x: attention(x) * len(x),
        lambda x: attention(x) / 2,
        lambda x: attention(x) * 2,
    ],
    "residual-added": lambda x: exact(x) + attention(x),
    "cosine-scores": [
        lambda x: softmax(cosines(x)) @ exact(x),
        lambda x: softmax(cosines(x) / np.sqrt(x.shape[1])) @ exact(x),
    ],
    "distance-scores": [
        lambda x: softmax(distances(x)) @ exact(x),
        lambda x: softmax(distances(x) / np.sqrt(x.shape[1])) @ exact(x),
        lambda x: softmax(-(distances(x) ** 2)) @ exact(x),
        lambda x: softmax(-(distances(x) ** 2) / np.sqrt(x.shape[1])) @ exact(x),
    ],
    "unchanged": exact,
    "values-missing": [
        lambda x: softmax(scores_of(x)),
        lambda x: softmax(scores_of(x)).T,
        scores_of,
        products,
        lambda x: softmax(products(x)),
    ],
    "wrong-product/axis": [
        of_columns(lambda x, scores: scores),
        of_columns(lambda x, scores: scores / np.sqrt(x.shape[1])),
        of_columns(lambda x, scores: softmax(scores)),
        of_columns(lambda x, scores: softmax(scores / np.sqrt(x.shape[1]))),
        of_columns(lambda x, scores: softmax(scores) @ x.T),
        of_columns(lambda x, scores: softmax(scores / np.sqrt(x.shape[1])) @ x.T),
        of_columns(lambda x, scores: softmax(scores / np.sqrt(len(x))) @ x.T),
    ],
    "wrong-product/columns": [
        of_columns(lambda x, scores: x @ softmax(scores / np.sqrt(x.shape[1]))),
        of_columns(lambda x, scores: x @ softmax(scores / np.sqrt(x.shape[1])).T),
        of_columns(lambda x, scores: x @ softmax(scores / np.sqrt(len(x)))),
        of_columns(lambda x, scores: x @ softmax(scores / np.sqrt(len(x))).T),
    ],
    "transposed": of_columns(lambda x, scores: attention(x).T),
}
