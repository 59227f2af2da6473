"""What a course states of its labs and exercises. The definitions are in `labkit.student.model.course`."""

from labkit.student.model.course import (
    Arange,
    Course,
    CourseError,
    Environment,
    Exercise,
    Lab,
    Probe,
    SymbolicArgument,
    Tolerance,
    folder_of,
    open_course,
)

__all__ = [
    "Arange",
    "Course",
    "CourseError",
    "Environment",
    "Exercise",
    "Lab",
    "Probe",
    "SymbolicArgument",
    "Tolerance",
    "folder_of",
    "open_course",
]
