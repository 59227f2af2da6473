"""The bug gallery of lab 01: tables that real mistakes make, stored as data."""

from __future__ import annotations

import numpy as np

from labkit.notebook.expected import expected_of


def gallery() -> dict[str, np.ndarray]:
    """Four tables of shape (24, 16) by letter, each made by one mistake of the catalogue."""
    return dict(sorted(expected_of("01_build_the_table")["gallery"].items()))
