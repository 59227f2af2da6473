"""The labs of this course in teaching order, one folder each."""

from labkit.model.course import open_course

COURSE = open_course(__name__, "01_spread")
