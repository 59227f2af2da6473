"""Alias of `labkit.judge.in_kernel` under its earlier name, for nbgrader test cells of older releases."""

from labkit.judge.in_kernel import points_of as points_of
