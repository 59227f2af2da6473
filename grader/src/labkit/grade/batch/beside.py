"""Alias of `labkit.grade.judge.in_kernel` under its earlier name, for nbgrader test cells of older releases."""

from labkit.grade.judge.in_kernel import points_of as points_of
