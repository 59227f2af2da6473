"""The environment that labs after the first share, so that one fork server can start the kernels of all of them."""

from encoding_labs import COURSE
from labkit.model.course import Environment

FIRST = "01_build_the_table"  # its kernels cannot import the locked module, which solves it, or another lab
WITH_LOCKED_MODULE = Environment(
    packages=("minimodel",),
    warm=("encoding_labs.clock", "matplotlib.pyplot", "minimodel.positional.sinusoidal", "numpy"),
    labs=tuple(name for name in COURSE.names if name != FIRST),
)
