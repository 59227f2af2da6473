"""Inside two kernels: an earlier answer whose values the grader passes from the solution's kernel to the student's.

The student's kernel asks for values, and no code comes in. The solution's kernel keeps what its answers asked one another.
"""

from __future__ import annotations

import builtins
import copy
import inspect
import threading
from collections.abc import Callable
from functools import lru_cache, wraps

from labkit.calls import wire
from labkit.calls.calling import read_reply
from labkit.judging.observation import Raised

_asking = threading.Lock()  # the reply to a question is the next message, whichever thread waits for it
_HERE = "__import__('labkit.calls.earlier').calls.earlier"
CALL = f"{{name}} = {_HERE}.answered_by_grader({{name}})"  # below the stub, in the student's kernel
RECORD = "recorded_values"  # what the grader asks the solution's kernel for
RECORDED = f"{{name}}, {RECORD} = {_HERE}.recorded({{name}}), {_HERE}.take_record"  # below the solution's answer
_record: list[list[object]] = []


def answered_by_grader(stub: Callable[..., object]) -> Callable[..., object]:
    """A function with the stub's parameters that asks the grader for each value.

    Errors: what the reference raises, without its message; ValueError for arguments that are not plain data.
    """
    signature = inspect.signature(stub)

    @wraps(stub)
    def answer(*args: object, **named: object) -> object:
        return _value(read_reply(_ask(wire.dumps([stub.__name__, _all(signature, args, named)]))))

    return answer


def recorded(function: Callable[..., object]) -> Callable[..., object]:
    """The same function; its arguments and values are kept until the grader takes them."""
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
    """What was asked since the last time: the name, the arguments, whether there was a value, and it or the error's name.

    Its argument makes each request another one: of equal requests the grader sends the first alone.
    """
    taken, _record[:] = list(_record), []
    return taken


def _all(signature: inspect.Signature, args: tuple[object, ...], named: dict[str, object]) -> list[object]:
    """Every argument in its place, whatever way it was given."""
    given = signature.bind(*args, **named)
    given.apply_defaults()
    return list(given.args)


@lru_cache(maxsize=100)  # a loop over rows asks for the same frequencies again and again
def _ask(request: str) -> str:
    """Ask in the way of `input`, which stays refused for everything else."""
    from IPython import get_ipython

    kernel = get_ipython().kernel
    with _asking:
        kernel._allow_stdin = True
        try:
            reply: str = kernel.raw_input(request)
            return reply
        finally:
            kernel._allow_stdin = False


def _value(value: object) -> object:
    if not isinstance(value, Raised):
        return value
    kind = getattr(builtins, value.error, None)
    if isinstance(kind, type) and issubclass(kind, Exception):
        raise kind()
    raise RuntimeError(f"the grader has no value: {value.error}")
