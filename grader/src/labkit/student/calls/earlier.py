"""Give a student's kernel the solution's values for an earlier exercise, by way of the grader.

The student's kernel requests values and receives no code. The solution's kernel records the calls that its answers make to
each other.
"""

from __future__ import annotations

import builtins
import copy
import inspect
import threading
from collections.abc import Callable
from functools import lru_cache, wraps

from labkit.student.calls import wire
from labkit.student.calls.calling import read_reply
from labkit.student.judging.observation import Raised

_asking = threading.Lock()  # one request at a time, because each thread takes the next message as its own reply
_HERE = "__import__('labkit.student.calls.earlier').student.calls.earlier"
CALL = f"{{name}} = {_HERE}.answered_by_grader({{name}})"  # runs after the unwritten answer, in the student's kernel
RECORD = "recorded_values"  # the grader's request to the solution's kernel
RECORDED = f"{{name}}, {RECORD} = {_HERE}.recorded({{name}}), {_HERE}.take_record"  # runs after the solution's answer
_record: list[list[object]] = []


def answered_by_grader(stub: Callable[..., object]) -> Callable[..., object]:
    """Make a function with the stub's parameters that requests each value from the grader.

    Errors: the error that the reference raised, without its message; ValueError for arguments that are not plain data.
    """
    signature = inspect.signature(stub)

    @wraps(stub)
    def answer(*args: object, **named: object) -> object:
        return _value(read_reply(_ask(wire.dumps([stub.__name__, _all(signature, args, named)]))))

    return answer


def recorded(function: Callable[..., object]) -> Callable[..., object]:
    """Wrap a function so that its arguments and values are recorded until the grader takes them."""
    signature = inspect.signature(function)

    @wraps(function)
    def answer(*args: object, **named: object) -> object:
        given = copy.deepcopy(_all(signature, args, named))
        try:
            value = function(*args, **named)
        except Exception as error:
            _record.append([function.__name__, given, False, type(error).__name__])
            raise
        _record.append([function.__name__, given, True, copy.deepcopy(value)])
        return value

    return answer


def take_record(_: int) -> list[list[object]]:
    """Return the calls recorded since the last time: name, arguments, whether a value was returned, and the value or error name.

    The argument makes each request different, because the grader sends equal requests only once.
    """
    taken, _record[:] = list(_record), []
    return taken


def _all(signature: inspect.Signature, args: tuple[object, ...], named: dict[str, object]) -> list[object]:
    """List all arguments by position, including those passed by name."""
    given = signature.bind(*args, **named)
    given.apply_defaults()
    return list(given.args)


@lru_cache(maxsize=100)  # a loop over rows repeats the same request
def _ask(request: bytes) -> bytes:
    """Send a request through the channel that `input` uses, which is otherwise disabled."""
    from IPython import get_ipython

    kernel = get_ipython().kernel
    with _asking:
        kernel._allow_stdin = True
        try:
            return wire.from_text(kernel.raw_input(wire.as_text(request)))
        finally:
            kernel._allow_stdin = False


def _value(value: object) -> object:
    if not isinstance(value, Raised):
        return value
    kind = getattr(builtins, value.error, None)
    if isinstance(kind, type) and issubclass(kind, Exception):
        raise kind()
    raise RuntimeError(f"the grader has no value: {value.error}")
