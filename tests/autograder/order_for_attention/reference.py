"""Reference answers for lab 06, order for attention, in float64."""

import numpy as np

from autograder.attention import exact, softmax, table


def attention(x):
    """softmax(x x^T / sqrt(d)) x."""
    x = exact(x)
    return softmax(x @ x.T / np.sqrt(x.shape[1])) @ x


def add_positions(embeddings, scale):
    """scale * E + PE."""
    embeddings = np.asarray(embeddings, dtype=np.float64)
    return scale * embeddings + table(*embeddings.shape)


def score_parts(embeddings, pe):
    """E E^T, E P^T, P E^T and P P^T, each divided by sqrt(d), as one array of shape (4, T, T)."""
    rows = np.asarray(embeddings, dtype=np.float64), exact(pe)
    return np.stack([one @ other.T for one in rows for other in rows]) / np.sqrt(pe.shape[1])
