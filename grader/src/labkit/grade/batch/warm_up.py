"""Import what workers need, the grader's modules and the course, in the process from which they are forked."""

import gc
from contextlib import suppress

gc.disable()  # imports leave almost no garbage

import pdb  # noqa: E402, F401  pytest imports these two in each session
import unittest  # noqa: E402, F401

import labkit.grade.judge.expect  # noqa: E402
import labkit.grade.judge.judge  # noqa: E402, F401
from labkit.student.judging.diagnosis import catalogue  # noqa: E402
from labkit.student.model.project import current  # noqa: E402

with suppress(Exception):  # each worker meets the same error and reports it
    catalogue(current().course)

gc.freeze()  # exempt existing objects from garbage collection: visiting them in a worker would copy their memory
gc.enable()
