"""Lab 01, build the table: mistakes from public programs, and other ways to round angles to bfloat16."""

import numpy as np

from autograder.shipped import shipped_samples

from . import TableSamples, omega_of, weave

ANSWERS = TableSamples(shipped_samples("sinusoidal_pe"))
of_table = ANSWERS.of_table


def bfloat16(values):
    """Keep the upper 16 bits of each float32, rounded to nearest even."""
    bits = np.asarray(values, dtype=np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)


@of_table("low-precision")
def all_in_bfloat16(T, d):
    angles = bfloat16(bfloat16(np.arange(T)[:, None]) * bfloat16(omega_of(d)))
    return weave(angles, lambda a: bfloat16(np.sin(a)), lambda a: bfloat16(np.cos(a)))
