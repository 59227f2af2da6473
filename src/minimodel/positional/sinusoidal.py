"""The sinusoidal positional encoding: the reference that the labs import. This file is locked (`labkit lock`)."""

from operator import index

import numpy as np


def sinusoidal_pe(T: int, d: int, *, base: float = 10000.0) -> np.ndarray:
    """The encoding of positions 0 .. T-1 in d dimensions, sine and cosine interleaved.

    PE[p, 2k]     = sin(p * omega_k)
    PE[p, 2k + 1] = cos(p * omega_k)      with omega_k = 1 / base**(2k / d) radians per position

    Shapes: -> (T, d), float32; the angles are computed in float32 too. T = 0 gives an empty table.
    Errors: ValueError when d is odd or not positive, when T is negative, or when base is not positive and finite;
            TypeError when T or d is not an integer.
    Source: Vaswani et al., "Attention Is All You Need" (2017), section 3.5.
    """
    T, d = index(T), index(d)
    if T < 0:
        raise ValueError(f"T counts positions, so it cannot be negative: T = {T}")
    if d <= 0 or d % 2:
        raise ValueError(f"d must be positive and even, because sine and cosine come in pairs: d = {d}")
    if not 0 < base <= float(np.finfo(np.float32).max):
        raise ValueError(f"base must be positive and fit a float32: base = {base}")
    pair = np.arange(0, d, 2, dtype=np.float32)
    frequency = np.float32(1) / np.float32(base) ** (pair / np.float32(d))
    angle = np.arange(T, dtype=np.float32)[:, None] * frequency
    table = np.empty((T, d), dtype=np.float32)
    np.sin(angle, out=table[:, 0::2])
    np.cos(angle, out=table[:, 1::2])
    return table
