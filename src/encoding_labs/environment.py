"""The environment that labs after the first share, so that one fork server can start the kernels of all of them."""

from labkit.model.course import Environment

WITH_LOCKED_MODULE = Environment(
    packages=("minimodel",),
    warm=("encoding_labs.clock", "matplotlib.pyplot", "minimodel.positional.sinusoidal", "numpy"),
)
