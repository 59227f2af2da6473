"""The labs of the tiny course: the one from `labkit new`, and a second one."""

from labkit.model.course import open_course

COURSE = open_course(__name__, "01_spread", "02_levels")
