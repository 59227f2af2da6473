"""What a course states of its labs and exercises. The definitions are in `labkit.student.model.course`."""

from labkit.student.model.course import (
    Arange,
    Course,
    Environment,
    Exercise,
    Lab,
    Probe,
    SymbolicArgument,
    Tolerance,
    folder_of,
    open_course,
)
from labkit.student.model.errors import UserError

__all__ = [
    "Arange",
    "Course",
    "Environment",
    "Exercise",
    "Lab",
    "Probe",
    "SymbolicArgument",
    "Tolerance",
    "UserError",
    "folder_of",
    "open_course",
]
