"""Lab 08, a head that learns to look back: right and wrong answers to `one_look`."""

import numpy as np

from autograder.samples import Samples

ANSWERS = Samples()


@ANSWERS.sample("one_look")
def queries_and_keys(pe, offset):
    queries, keys = pe[offset:], pe[: len(pe) - offset]
    return queries.T @ keys


@ANSWERS.sample("one_look")
def a_sum_of_outer_products(pe, offset):
    return sum(np.outer(pe[p], pe[p - offset]) for p in range(offset, len(pe)))


@ANSWERS.sample("one_look")
def in_a_loop(pe, offset):
    m = np.zeros((pe.shape[1], pe.shape[1]), dtype=np.float32)
    for key, query in zip(pe, pe[offset:]):
        m += query[:, None] * key
    return m


@ANSWERS.sample("one_look")
def with_einsum(pe, offset):
    return np.einsum("pi,pj->ij", pe[offset:], pe[:-offset])


@ANSWERS.sample("one_look")
def by_places(pe, offset):
    p = np.arange(offset, pe.shape[0])
    return (pe[p - offset].T @ pe[p]).T


@ANSWERS.sample("one_look")
def with_a_matrix_of_examples(pe, offset):
    return pe.T @ np.eye(len(pe), k=-offset) @ pe


@ANSWERS.sample("one_look", "looks-forward")
def keys_first(pe, offset):
    return pe[:-offset].T @ pe[offset:]


@ANSWERS.sample("one_look", "wrong-product")
def the_transpose_in_the_other_array(pe, offset):
    return pe[offset:] @ pe[:-offset].T


@ANSWERS.sample("one_look", "circular-roll")
def rolled(pe, offset):
    return pe.T @ np.roll(pe, offset, axis=0)


@ANSWERS.sample("one_look", "one-example")
def the_example_of_lab_03(pe, offset):
    return np.outer(pe[offset], pe[0])


@ANSWERS.sample("one_look", "example-missing")
def a_range_that_ends_early(pe, offset):
    return sum(np.outer(pe[p], pe[p - offset]) for p in range(offset, len(pe) - 1))


@ANSWERS.sample("one_look", "averaged")
def the_mean(pe, offset):
    return np.mean([np.outer(pe[p], pe[p - offset]) for p in range(offset, len(pe))], axis=0)


@ANSWERS.sample("one_look", "unknown")
def always_three(pe, offset):
    return pe[3:].T @ pe[:-3]
