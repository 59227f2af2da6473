"""Import what workers need, the grader's modules and the course, in the process from which they are forked."""

import gc
from contextlib import suppress

gc.disable()  # imports leave almost no garbage

import labkit.judge.judge  # noqa: E402, F401
from labkit.model.project import current  # noqa: E402

with suppress(Exception):  # each worker meets the same error and reports it
    current().course.labs

gc.freeze()  # existing objects are never collected: a collection in a worker would visit all of them and copy their memory
gc.enable()
