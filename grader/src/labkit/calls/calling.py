"""Call an answer and take what comes back as plain data. The check in the notebook and the grader both call this way.

So the check sees just what the grader sees: a subclass of an array arrives as a plain array, and what cannot leave is told as
an error.
"""

from __future__ import annotations

import builtins
import os
import time
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from typing import Any, cast

import numpy as np

from labkit.calls import unanswered, wire
from labkit.calls.kinds import KINDS, Answer, Call, Inputs, kind_of
from labkit.judging.observation import NO_ANSWER, Raised
from labkit.model import course

NAME, WORDS = 80, 500  # characters of an error's name and of what it says
MOST_KINDS = 10  # names of an error's class and of those that it is made from
# What else than an error of Python's can be there in place of a value; all of them say it without the names of classes.
NO_VALUE = ("Unsendable", "ReturnedError", "NotImplementedError", *NO_ANSWER)


def call_answer(namespace: Mapping[str, object], name: str, kind: str, inputs: Inputs, twice: bool = False) -> object:
    """What the answer `name` gives for these inputs: a value, plain data of a kind such as a figure, or Raised.

    A stub raises NotImplementedError; why else there is no answer, `unanswered` says. What the answer prints is dropped, because
    a print is no mistake. It gets copies of its arrays. With `twice` it is called again with the same ones, after its first
    result was overwritten, and the second result is returned.
    """
    if reason := unanswered.missing(name, name in namespace):
        return reason
    answer = namespace[name]
    call, asked, begun = kind_of(kind).call, [name, kind, list(inputs), twice], time.process_time()
    if call is None:
        return answer
    if not callable(answer):
        return Raised("NotCallable", type(answer).__name__)
    inputs = tuple(arg.copy() if isinstance(arg, np.ndarray) else arg for arg in inputs)
    try:
        with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
            return _second(call, answer, inputs) if twice else call(answer, inputs)
    except KeyboardInterrupt:
        _interrupted[:] = [asked, time.process_time() - begun]
        raise
    except BaseException as error:  # an answer may raise anything, SystemExit too
        if stub := unanswered.stub_of(error):
            return unanswered.unwritten(name, stub)
        kinds = tuple(kind.__name__[:NAME] for kind in type(error).__mro__[:MOST_KINDS])
        return Raised(kinds[0], str(error), kinds)


_interrupted: list[object] = []  # the last call that was: what was asked, and its processor seconds


def send_interrupted() -> None:
    """Inside the kernel: send the call that an interrupt ended, as it would be requested, and its processor seconds."""
    from IPython.display import display

    asked, seconds = _interrupted or [None, 0.0]
    display({wire.MIME: reply([wire.dumps(asked), seconds])}, raw=True)


def _second(call: Call, answer: Answer, inputs: Inputs) -> object:
    """The second of two results, the first being overwritten before and after: shared memory shows either way.

    So does an answer that changes its arguments: both calls get the same arrays.
    """
    first = call(answer, inputs)
    _overwrite(first)
    second = call(answer, inputs)
    _overwrite(first)
    return second


def _overwrite(result: object) -> None:
    if isinstance(result, np.ndarray) and result.flags.writeable:
        result[...] = 7


def reply(value: object) -> str:
    """The text that goes out: ["value", data], or ["raised", error, message, the error and what it is a kind of]."""
    kind = value if isinstance(value, type) else type(value)
    if issubclass(kind, BaseException):
        value = Raised("ReturnedError", kind.__name__)  # it names no kinds, so it never counts as raised
    try:
        if isinstance(value, Raised):
            return wire.dumps(["raised", value.error[:NAME], str(value.message)[:WORDS], list(value.kinds)])
        return wire.dumps(["value", value])
    except (wire.Unsendable, ValueError, TypeError) as error:
        return wire.dumps(["raised", "Unsendable", str(error)[:WORDS], []])


def send_answer(request: str) -> None:
    """Inside the kernel: answer one request of `labkit.judge.answers`, of a name, a kind and arguments, by a display message."""
    from IPython import get_ipython
    from IPython.display import display

    name, kind, inputs, twice = cast("tuple[str, str, list[Any], bool]", wire.loads(request))
    if kind not in KINDS:
        course.current().labs  # with them, the kinds that the course adds
    value = call_answer(get_ipython().user_ns, name, kind, tuple(inputs), twice)
    display({wire.MIME: reply(value)}, raw=True)


@cache
def known_errors() -> frozenset[str]:
    """The names of Python's own errors and of NumPy's."""
    modules = (builtins, np.exceptions, np.linalg)
    kinds = (kind for module in modules for kind in vars(module).values() if isinstance(kind, type))
    return frozenset(kind.__name__ for kind in kinds if issubclass(kind, BaseException))


def known_name(kinds: tuple[str, ...]) -> str:
    """The nearest of these classes that is known. The name of another could say what the answer was asked."""
    return next((kind for kind in kinds if kind in known_errors()), "Exception")


def read_reply(text: object) -> object:
    """The value, or Raised. Bytes that `reply` did not write give Raised too."""
    try:
        match wire.loads(text) if isinstance(text, str) else None:
            case [str(kind), value] if kind == "value":  # an array in its place equals nothing, and says so by an error
                return value
            case [str(kind), str(error), str(message), list(named)] if kind == "raised":
                kinds = tuple(each[:NAME] for each in named[:MOST_KINDS] if isinstance(each, str))
                error = error if error in NO_VALUE and not kinds else known_name(kinds or (error,))
                message = known_name((message,)) if error == "ReturnedError" else message
                return Raised(error, message[:WORDS], kinds)  # who forges a reply need not be brief
        return Raised("Malformed", "sent back no reply")
    except wire.Malformed as error:
        return Raised("Malformed", f"sent back {error}")
    except MemoryError:
        return Raised("Malformed", "sent back more than there is memory for")
