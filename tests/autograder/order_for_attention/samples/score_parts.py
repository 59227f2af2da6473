"""Lab 06, order for attention: right and wrong answers to `score_parts`."""

import numpy as np

from autograder.samples import Samples

ANSWERS = Samples()


@ANSWERS.sample("score_parts")
def a_tuple_of_four_products(embeddings, pe):
    root = np.sqrt(pe.shape[1])
    return (embeddings @ embeddings.T / root, embeddings @ pe.T / root, pe @ embeddings.T / root, pe @ pe.T / root)


@ANSWERS.sample("score_parts")
def one_array(embeddings, pe):
    both = np.stack([embeddings, pe])
    parts = np.einsum("api,bqi->abpq", both, both) / np.sqrt(pe.shape[1])
    return parts.reshape(4, len(pe), len(pe))


@ANSWERS.sample("score_parts")
def the_third_by_transposing_the_second(embeddings, pe):
    mixed = embeddings @ pe.T / np.sqrt(pe.shape[1])
    root = np.sqrt(pe.shape[1])
    return embeddings @ embeddings.T / root, mixed, mixed.T, pe @ pe.T / root


@ANSWERS.sample("score_parts")
def in_float64(embeddings, pe):
    e, p = embeddings.astype(np.float64), pe.astype(np.float64)
    return tuple(np.inner(a, b) / np.sqrt(e.shape[1]) for a, b in ((e, e), (e, p), (p, e), (p, p)))


@ANSWERS.sample("score_parts")
def four_blocks_of_one_product(embeddings, pe):
    both = np.concatenate([embeddings, pe])
    gram, T = both @ both.T / np.sqrt(pe.shape[1]), len(pe)
    return [gram[:T, :T], gram[:T, T:], gram[T:, :T], gram[T:, T:]]


@ANSWERS.sample("score_parts")
def undivided(embeddings, pe):
    return embeddings @ embeddings.T, embeddings @ pe.T, pe @ embeddings.T, pe @ pe.T


@ANSWERS.sample("score_parts")
def the_last_by_what_is_left(embeddings, pe):
    root = np.sqrt(pe.shape[1])
    x = embeddings + pe
    first, second, third = embeddings @ embeddings.T / root, embeddings @ pe.T / root, pe @ embeddings.T / root
    return first, second, third, x @ x.T / root - first - second - third


@ANSWERS.sample("score_parts")
def entry_by_entry(embeddings, pe):
    T, d = pe.shape
    parts = np.zeros((4, T, T))
    for p in range(T):
        for q in range(T):
            parts[0, p, q] = embeddings[p] @ embeddings[q]
            parts[1, p, q] = embeddings[p] @ pe[q]
            parts[2, p, q] = pe[p] @ embeddings[q]
            parts[3, p, q] = pe[p] @ pe[q]
    return parts / d**0.5


def of(embeddings, pe):
    return a_tuple_of_four_products(embeddings, pe)


@ANSWERS.sample("score_parts", "parts-exchanged")
def all_transposed(embeddings, pe):
    return [part.T for part in of(embeddings, pe)]


@ANSWERS.sample("score_parts", "wrong-product")
def entries_multiplied(embeddings, pe):
    return [a * b / np.sqrt(pe.shape[1]) for a in (embeddings, pe) for b in (embeddings, pe)]


@ANSWERS.sample("score_parts", "mixed-part-twice")
def the_second_part_twice(embeddings, pe):
    words, one, _, positions = of(embeddings, pe)
    return words, one, one, positions


@ANSWERS.sample("score_parts", "unknown")
def a_dictionary(embeddings, pe):
    return dict(zip(("cc", "cp", "pc", "pp"), of(embeddings, pe)))


@ANSWERS.sample("score_parts", "sums-of-parts")
def sums_of_the_parts(embeddings, pe):
    return [part.sum() for part in of(embeddings, pe)]


@ANSWERS.sample("score_parts", "unknown")
def not_a_number(embeddings, pe):
    return [part / 0 for part in of(embeddings, pe)]


@ANSWERS.sample("score_parts", "input-overwritten")
def both_divided_in_place(embeddings, pe):
    embeddings /= pe.shape[1] ** 0.25
    pe /= pe.shape[1] ** 0.25
    return [rows @ columns.T for rows in (embeddings, pe) for columns in (embeddings, pe)]


@ANSWERS.sample("score_parts", "another-arrangement")
def one_array_with_two_axes_of_parts(embeddings, pe):
    both = np.stack([embeddings, pe])
    return np.einsum("api,bqi->abpq", both, both) / np.sqrt(pe.shape[1])


@ANSWERS.sample("score_parts", "own-scores-alone")
def each_token_with_itself(embeddings, pe):
    return [np.einsum("pi,pi->p", rows, columns) for rows in (embeddings, pe) for columns in (embeddings, pe)]


@ANSWERS.sample("score_parts", "parts-merged")
def the_scores_of_the_sum(embeddings, pe):
    return (embeddings + pe) @ (embeddings + pe).T / np.sqrt(pe.shape[1])


@ANSWERS.sample("score_parts", "unknown")
def exchanged_and_a_sign_lost(embeddings, pe):
    words, one, other, positions = of(embeddings, pe)
    return words, -other, one, positions


@ANSWERS.sample("score_parts", "factors-differ")
def the_last_part_alone_divided(embeddings, pe):
    return embeddings @ embeddings.T, embeddings @ pe.T, pe @ embeddings.T, pe @ pe.T / np.sqrt(pe.shape[1])
