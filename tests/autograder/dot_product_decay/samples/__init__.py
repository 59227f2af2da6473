"""Helpers for the sample answers to lab 04, dot-product decay."""

import numpy as np


def omega(d, dtype=np.float64):
    return np.array(10000, dtype) ** (-2 * np.arange(d // 2, dtype=dtype) / np.array(d, dtype))


def total(offsets, d):
    return np.cos(np.asarray(offsets)[:, None] * omega(d)).sum(axis=1)
