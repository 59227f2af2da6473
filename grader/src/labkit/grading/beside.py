"""The earlier name of `labkit.judge.in_kernel`, for test cells of nbgrader that were released with it."""

from labkit.judge.in_kernel import points_of as points_of
