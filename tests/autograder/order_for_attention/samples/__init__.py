"""Helpers for the sample answers to lab 06, order for attention."""

import numpy as np


def softmax(scores, axis=-1):
    grown = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return grown / grown.sum(axis=axis, keepdims=True)


def omega(d):
    return 10000.0 ** (-2 * np.arange(d // 2) / d)
