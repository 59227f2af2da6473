"""Helpers for the sample answers to lab 07, precision and cost."""

from functools import cache

import numpy as np

F = np.float32
BLOCK = 4096
KEPT = range(BLOCK // 4, 2 * BLOCK + 1)  # lengths of the blocks for which errors are cached


def omega(d, dtype=np.float64):
    return np.array(10000, dtype) ** (-np.arange(0, d, 2, dtype=dtype) / np.array(d, dtype))


def woven(angle):
    """The sines and cosines of these angles, interleaved, in the same dtype."""
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(len(angle), 2 * angle.shape[1])


def exact(positions, d):
    return woven(np.asarray(positions, dtype=np.float64)[:, None] * omega(d))


def locked_rows(positions, d):
    return woven(np.asarray(positions).astype(F)[:, None] * (F(1) / F(10000) ** (np.arange(0, d, 2, dtype=F) / F(d))))


def largest(positions, d):
    """The right answer to float32_error. Errors of whole blocks are cached, because many searches need the same ones."""
    if (
        len(positions) in KEPT
        and positions[-1] - positions[0] == len(positions) - 1
        and (np.diff(positions) == 1).all()
    ):
        start, first = positions[0] // BLOCK * BLOCK, int(positions[0]) // BLOCK
        blocks = [errors_of_block(number, d) for number in range(first, int(positions[-1]) // BLOCK + 1)]
        return np.concatenate(blocks)[positions[0] - start :][: len(positions)]
    return errors_of(positions, d)


def errors_of(positions, d):
    return np.abs(locked_rows(positions, d) - exact(positions, d)).max(axis=1)


@cache
def errors_of_block(number, d):
    return errors_of(np.arange(number * BLOCK, (number + 1) * BLOCK), d)


def first_where(is_bad, block=2**12, end=2**25):
    """Find the first position for which `is_bad` is true. Positions are tested in blocks."""
    for start in range(0, end, block):
        bad = is_bad(np.arange(start, start + block))
        if bad.any():
            return start + int(np.argmax(bad))
