"""The labs of this course, a folder for each, in this order."""

from labkit.model.course import open_course

COURSE = open_course(__name__, "01_spread")
