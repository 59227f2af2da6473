"""What the process imports that workers are forked from: the grader's own modules, and the course."""

from contextlib import suppress

import labkit.judge.judge  # noqa: F401
from labkit.model.project import current

with suppress(Exception):  # each worker meets it again, and then it is told
    current().course.labs
