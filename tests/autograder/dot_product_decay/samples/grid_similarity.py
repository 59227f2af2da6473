"""Lab 04, dot-product decay: right and wrong answers to `grid_similarity`."""

import math

import numpy as np

from autograder.samples import Samples
from minimodel.positional.sinusoidal import sinusoidal_pe

from . import omega, total

ANSWERS = Samples()
ANSWERS.several(
    "grid_similarity",
    a_sum_for_each_axis=lambda dx, dy, d: total([dx], d // 2)[0] + total([dy], d // 2)[0],
    plain_python=lambda dx, dy, d: sum(
        math.cos(offset * 10000 ** (-4 * k / d)) for offset in (dx, dy) for k in range(d // 4)
    ),
)


@ANSWERS.sample("grid_similarity")
def encodings_built_and_multiplied(dx, dy, d):
    """Encode two patches far from the image's edge in float32, and take their dot product in float64."""
    pe = sinusoidal_pe(200, d // 2).astype(np.float64)
    here, there = (np.concatenate([pe[100 + x], pe[100 + y]]) for x, y in ((0, 0), (dx, dy)))
    return here @ there


@ANSWERS.sample("grid_similarity", "whole-width")
def tables_of_d_dimensions(dx, dy, d):
    pe = sinusoidal_pe(200, d)
    return float(pe[100] @ pe[100 + dx] + pe[100] @ pe[100 + dy])


@ANSWERS.sample("grid_similarity", "whole-width")
def half_of_the_pairs_of_d_dimensions(dx, dy, d):
    return sum(math.cos(offset * 10000 ** (-2 * k / d)) for offset in (dx, dy) for k in range(d // 4))


@ANSWERS.sample("grid_similarity", "absolute")
def the_size_of_each_half(dx, dy, d):
    return abs(total([dx], d // 2)[0]) + abs(total([dy], d // 2)[0])


@ANSWERS.sample("grid_similarity", "straight-line")
def distance_by_pythagoras(dx, dy, d):
    return sum(math.cos(math.sqrt(dx**2 + dy**2) * 10000 ** (-2 * k / d)) for k in range(d // 2))


@ANSWERS.sample("grid_similarity", "unknown")
def frequencies_shared_out_between_the_axes(dx, dy, d):
    """Use the fast half of the frequencies for x and the slow half for y."""
    speed = omega(d)
    return np.cos(dx * speed[: d // 4]).sum() + np.cos(dy * speed[d // 4 :]).sum()


@ANSWERS.sample("grid_similarity", "unknown")
def the_larger_offset_alone(dx, dy, d):
    return total([max(abs(dx), abs(dy))], d // 2)[0]


@ANSWERS.sample("grid_similarity", "unseen")
def an_image_of_32_by_32_patches(dx, dy, d):
    pe = sinusoidal_pe(33, d // 2)
    return float(pe[0] @ pe[min(abs(dx), 32)] + pe[0] @ pe[min(abs(dy), 32)])
