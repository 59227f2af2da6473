"""Lab 04, dot-product decay: right and wrong answers to `closed_form`."""

import numpy as np

from autograder.samples import Samples
from minimodel.positional.sinusoidal import sinusoidal_pe

from . import omega, total

ANSWERS = Samples()
ANSWERS.several(
    "closed_form",
    offsets_by_pairs=lambda offsets, d: np.cos(offsets[:, None] * 10000.0 ** (-2 * np.arange(d // 2) / d)).sum(axis=1),
    float32_throughout=lambda offsets, d: np.cos(offsets.astype(np.float32)[:, None] * omega(d, np.float32)).sum(
        axis=1
    ),
    one_offset_at_a_time=lambda offsets, d: np.array(
        [np.cos(offset * omega(d)).sum() for offset in offsets], dtype=np.float32
    ),
)


ANSWERS.several("closed_form", "d-terms", both_columns_of_each_pair=lambda offsets, d: 2 * total(offsets, d))
ANSWERS.several(
    "closed_form",
    "exponent-4k-over-d",
    columns_doubled_again=lambda offsets, d: np.cos(offsets[:, None] * omega(d) ** 2).sum(axis=1),
)
ANSWERS.several(
    "closed_form",
    "unknown",
    negative_offsets_at_the_end=lambda offsets, d: total(np.arange(600), d)[offsets],
    a_list_of_sums=lambda offsets, d: [float(value) for value in total(offsets, d)],
)


@ANSWERS.sample("closed_form", "unseen")
def from_a_table_of_256_rows(offsets, d):
    table = sinusoidal_pe(256, d)
    return table[np.abs(offsets)] @ table[0]
