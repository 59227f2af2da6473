"""Helpers for the samples of lab 07, precision and cost."""

import numpy as np

F = np.float32


def omega(d, dtype=np.float64):
    return np.array(10000, dtype) ** (-np.arange(0, d, 2, dtype=dtype) / np.array(d, dtype))


def woven(angle):
    """Sines and cosines of these angles, interleaved, in the angles' dtype."""
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(len(angle), 2 * angle.shape[1])


def exact(positions, d):
    return woven(np.asarray(positions, dtype=np.float64)[:, None] * omega(d))


def locked_rows(positions, d):
    return woven(np.asarray(positions).astype(F)[:, None] * (F(1) / F(10000) ** (np.arange(0, d, 2, dtype=F) / F(d))))


def largest(positions, d):
    """The right answer to float32_error."""
    return np.abs(locked_rows(positions, d) - exact(positions, d)).max(axis=1)


def first_where(is_bad, block=2**12, end=2**25):
    """Find the first position for which `is_bad` is true. Positions are tested in blocks."""
    for start in range(0, end, block):
        bad = is_bad(np.arange(start, start + block))
        if bad.any():
            return start + int(np.argmax(bad))
