"""Submissions in, results out."""

import labkit.lean  # noqa: F401  before any part of grading imports nbformat
