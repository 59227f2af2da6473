"""Inside the kernel: an earlier answer that the grader gives, value by value, in place of the student's wrong one.

Only values come in. The code that they come from runs in another process.
"""

from __future__ import annotations

import builtins
import inspect
import threading
from collections.abc import Callable
from functools import lru_cache, wraps

from labkit.calls import wire
from labkit.calls.calling import read_reply
from labkit.judging.observation import Raised

_asking = threading.Lock()  # the reply to a question is the next message, whichever thread waits for it
CALL = "{name} = __import__('labkit.calls.earlier').calls.earlier.answered_by_grader({name})"  # below the stub


def answered_by_grader(stub: Callable) -> Callable:
    """A function with the stub's parameters that asks the grader for each value.

    Errors: what the reference raises, without its message; ValueError for arguments that are not plain data.
    """
    signature = inspect.signature(stub)

    @wraps(stub)
    def answer(*args: object, **named: object) -> object:
        given = signature.bind(*args, **named)
        given.apply_defaults()
        return _value(read_reply(_ask(wire.dumps([stub.__name__, list(given.args)]))))

    return answer


@lru_cache(maxsize=100)  # a loop over rows asks for the same frequencies again and again
def _ask(request: str) -> str:
    """Ask in the way of `input`, which stays refused for everything else."""
    from IPython import get_ipython

    kernel = get_ipython().kernel
    with _asking:
        kernel._allow_stdin = True
        try:
            return kernel.raw_input(request)
        finally:
            kernel._allow_stdin = False


def _value(value: object) -> object:
    if not isinstance(value, Raised):
        return value
    kind = getattr(builtins, value.error, None)
    is_error = isinstance(kind, type) and issubclass(kind, Exception)
    raise kind() if is_error else RuntimeError(f"the grader has no value: {value.error}")
