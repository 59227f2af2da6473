"""Lab 06, order for attention: right and wrong answers to `attention`."""

import numpy as np

from autograder.samples import Samples, softmax

ANSWERS = Samples()


@ANSWERS.sample("attention")
def in_three_lines(x):
    scores = x @ x.T / np.sqrt(x.shape[1])
    weights = np.exp(scores)
    return weights / weights.sum(axis=1, keepdims=True) @ x


@ANSWERS.sample("attention")
def in_float64(x):
    x = np.asarray(x, dtype=np.float64)
    return softmax(x @ x.T / np.sqrt(x.shape[1])) @ x


@ANSWERS.sample("attention")
def einsum(x):
    weights = softmax(np.einsum("pi,qi->pq", x, x) / np.sqrt(x.shape[1]))
    return np.einsum("pq,qi->pi", weights, x)


@ANSWERS.sample("attention")
def token_by_token(x):
    rows = []
    for query in x:
        grown = np.exp(x @ query / np.sqrt(len(query)))
        rows.append((grown / grown.sum()) @ x)
    return np.array(rows)


@ANSWERS.sample("attention")
def the_fourth_root_on_both_sides(x):
    y = x / x.shape[1] ** 0.25
    return softmax(np.inner(y, y)) @ x


@ANSWERS.sample("attention", "softmax-axis")
def sums_without_an_axis_kept(x):
    grown = np.exp(x @ x.T / np.sqrt(x.shape[1]))
    return grown / grown.sum(axis=1) @ x


@ANSWERS.sample("attention", "unknown")
def transposed_and_not_scaled(x):
    return (softmax(x @ x.T) @ x).T


@ANSWERS.sample("attention", "own-token-masked")
def nobody_looks_at_itself(x):
    scores = x @ x.T / np.sqrt(x.shape[1])
    np.fill_diagonal(scores, -1e9)
    return softmax(scores) @ x


@ANSWERS.sample("attention", "weights-alike")
def the_mean_of_all(x):
    return np.broadcast_to(x.mean(axis=0), x.shape)


@ANSWERS.sample("attention", "unchanged")
def only_the_nearest(x):
    return x[(x @ x.T).argmax(axis=1)]


@ANSWERS.sample("attention", "unknown")
def tokens_sorted_first(x):
    x = x[np.argsort(x[:, 0])]
    return softmax(x @ x.T / np.sqrt(x.shape[1])) @ x


@ANSWERS.sample("attention", "unknown")
def positions_added(x):
    y = x + np.linspace(0, 1, len(x))[:, None]
    return softmax(y @ y.T / np.sqrt(x.shape[1])) @ y


@ANSWERS.sample("attention", "unknown")
def nothing_returned(x):
    softmax(x @ x.T / np.sqrt(x.shape[1])) @ x


@ANSWERS.sample("attention")
def a_copy_that_is_changed(x):
    x = x.copy()
    keys = x.copy()
    x /= np.sqrt(x.shape[1])
    scores = x @ keys.T
    scores -= scores.max(axis=1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=1, keepdims=True)
    return scores @ keys


@ANSWERS.sample("attention", "input-overwritten")
def queries_scaled_in_place(x):
    keys = x.copy()
    x /= np.sqrt(x.shape[1])
    return softmax(x @ keys.T) @ keys


@ANSWERS.sample("attention", "scaled-values")
def the_fourth_root_in_the_values_too(x):
    y = x / x.shape[1] ** 0.25
    return softmax(y @ y.T) @ y


@ANSWERS.sample("attention", "residual-added")
def each_token_added_to_its_output(x):
    out = x.copy()
    for p, query in enumerate(x):
        grown = np.exp(x @ query / np.sqrt(len(query)))
        out[p] += grown / grown.sum() @ x
    return out


@ANSWERS.sample("attention", "masked")
def each_token_sees_those_before_it(x):
    rows = []
    for p, query in enumerate(x):
        grown = np.exp(x[: p + 1] @ query / np.sqrt(len(query)))
        rows.append(grown / grown.sum() @ x[: p + 1])
    return np.array(rows)


@ANSWERS.sample("attention", "weights-not-normalised")
def sums_that_grow_with_the_text(x):
    T, d = x.shape
    out = np.zeros((T, d))
    for p in range(T):
        for q in range(T):
            out[p] += np.exp(float(x[p] @ x[q]) / d**0.5) * x[q]
    return out


@ANSWERS.sample("attention", "scores-not-scaled")
def inner_products_as_they_are(x):
    return np.array([(lambda grown: grown / grown.sum())(np.exp(x @ query)) @ x for query in x])


@ANSWERS.sample("attention", "scores-not-scaled", "masked")
def a_mask_and_no_root(x):
    scores = np.where(np.tril(np.ones((len(x), len(x)))) == 1, x @ x.T, -np.inf)
    return softmax(scores) @ x


@ANSWERS.sample("attention", "scores-not-scaled", "softmax-axis")
def sums_of_columns_and_no_root(x):
    e = np.exp(x @ x.T)
    return e / e.sum(axis=0) @ x


@ANSWERS.sample("attention", "scores-not-scaled", "weights-not-normalised")
def exponentials_of_inner_products(x):
    return np.exp(x @ x.T) @ x


@ANSWERS.sample("attention", "scores-not-scaled")
def a_whole_root(x):
    return softmax(x @ x.T / int(np.sqrt(x.shape[1]))) @ x


@ANSWERS.sample("attention", "masked", "residual-added")
def a_whole_layer(x):
    out = x.astype(float)
    for p in range(len(x)):
        out[p] += softmax(x[: p + 1] @ x[p] / np.sqrt(x.shape[1])) @ x[: p + 1]
    return out
