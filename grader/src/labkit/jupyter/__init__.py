"""Labkit's isolated kernels for other Jupyter tools."""
