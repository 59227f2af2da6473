"""Lab 01, build the table: right and wrong answers to `sinusoidal_pos`."""

import math

import numpy as np

from autograder.samples import Samples
from autograder.wrong_tables import table_of

from . import angles_of, weave

ANSWERS = Samples()
right = ANSWERS.sample("sinusoidal_pos")


@right
def ravelled(seed, T, d_model):
    return table_of(T, d_model).ravel()


@right
def in_float32(seed, T, d_model):
    return weave(angles_of(T, d_model)).flatten()


@right
def seeds_what_is_never_drawn(seed, T, d_model):
    np.random.default_rng(seed)
    return table_of(T, d_model).reshape(-1)


@right
def float32_angles(seed, T, d_model):
    omega = np.float32(10000) ** (-np.arange(0, d_model, 2, dtype=np.float32) / np.float32(d_model))
    return weave(np.arange(T, dtype=np.float32)[:, None] * omega).ravel()


@ANSWERS.sample("sinusoidal_pos", "unknown")
def with_noise(seed, T, d_model):
    return table_of(T, d_model).ravel() + np.random.default_rng(seed).normal(0, 0.1, T * d_model)


ANSWERS.several(
    "sinusoidal_pos",
    "unknown",
    begun_at_the_seed=lambda seed, T, d_model: table_of(T + seed % 100, d_model)[-T:].ravel(),
    four_decimals=lambda seed, T, d_model: table_of(T, d_model).ravel().round(4),
    a_list=lambda seed, T, d_model: table_of(T, d_model).ravel().tolist(),
)


@ANSWERS.sample("sinusoidal_pos", "swapped-sin-cos")
def cosine_first_by_loops(seed, T, d_model):
    entries = []
    for p in range(T):
        for i in range(0, d_model, 2):
            angle = p / 10000 ** (i / d_model)
            entries += [math.cos(angle), math.sin(angle)]
    return np.array(entries, np.float32)


@ANSWERS.sample("sinusoidal_pos", "wrong-container")
def a_column(seed, T, d_model):
    return weave(angles_of(T, d_model)).reshape(-1, 1)


@ANSWERS.sample("sinusoidal_pos", "exponent-k-over-d")
def base_100(seed, T, d_model):
    return weave(angles_of(T, d_model, 100.0)).ravel()


@ANSWERS.sample("sinusoidal_pos", "doubled-angle")
def angles_times_two(seed, T, d_model):
    return weave(2 * angles_of(T, d_model)).ravel()
