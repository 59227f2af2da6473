"""Import what workers need, the grader's modules and the course, in the process from which they are forked."""

import gc
from contextlib import suppress

gc.disable()  # imports leave almost no garbage

import pdb  # noqa: E402, F401  pytest imports these two in each session
import unittest  # noqa: E402, F401

import labkit.grade.judge.expect  # noqa: E402
import labkit.grade.judge.judge  # noqa: E402, F401
from labkit.grade.judge.assemble import reference_cells  # noqa: E402
from labkit.grade.judge.run import request_of  # noqa: E402
from labkit.student.judging.diagnosis import catalogue  # noqa: E402
from labkit.student.model.project import Project, current  # noqa: E402
from labkit.student.notebook.expected import graders_expected  # noqa: E402

with suppress(Exception):  # each worker meets the same error and reports it
    catalogue(current().course)


def read(project: Project, lab: str) -> None:
    """Read a lab's solution and expected values, and make the requests of its public calls."""
    with suppress(Exception):  # as above
        known = project.course.labs[lab]
        reference_cells(project, known)
        graders_expected(project, known)
        for exercise in known.exercises:
            for probe in exercise.probes:
                request_of(exercise, probe)


gc.freeze()  # exempt existing objects from garbage collection: visiting them in a worker would copy their memory
gc.enable()
