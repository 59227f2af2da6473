"""Call an answer and return its result as plain data, both for the check in the notebook and for the grader.

The check therefore sees exactly what the grader sees. For example, an array subclass arrives as a plain array, and a value
that cannot leave the kernel is reported as an error.
"""

from __future__ import annotations

import builtins
import io
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO, cast

import numpy as np

from labkit.student.calls import state, wire
from labkit.student.calls.axes import Drawing
from labkit.student.calls.wire import Malformed
from labkit.student.judging.observation import NO_ANSWER, Raised
from labkit.student.model import course
from labkit.student.model.course import Exercise, Probe

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


Answer = Callable[..., object]  # a student's function
Inputs = tuple[Any, ...]  # the arguments of one call, as the exercise's kind expects them
Call = Callable[[Answer, Inputs], object]
Read = Callable[[object, Inputs], object]

PICTURE = "picture"  # the kind that requests a picture of a figure
PIXELS, DPI = (360, 480, 3), 75  # rows, columns and colours of a picture, independent of the figure's size


@dataclass(frozen=True)
class Kind:
    """How to call an answer of this kind and read its result. Without `call`, the answer is a plain value."""

    call: Call | None
    read: Read | None = None  # errors: Malformed


KINDS: dict[str, Kind] = {}  # by name; a course's own kinds are registered when its exercises are loaded


def add_kind(name: str, call: Call | None, read: Read | None = None) -> None:
    KINDS[name] = Kind(call, read)


def gives_plain_data(name: str) -> bool:
    """Whether answers of this kind are functions that return plain data."""
    kind = KINDS[name]
    return kind.call is not None and kind.read is None


def received(exercise: Exercise, probe: Probe, value: object) -> object:
    """Convert an answer's result with the `read` of its kind, for example to a Drawing. Without a `read`, the result itself is checked."""
    read = KINDS[exercise.kind].read
    if read is None or isinstance(value, Raised):
        return value
    try:
        return read(value, probe.inputs())
    except Malformed as error:
        return Raised("Malformed", str(error))


@contextmanager
def _paper() -> Iterator[tuple[Figure, Axes, Figure]]:
    """Create a figure and its Axes, and make another figure the current one.

    Anything drawn with `plt.…` then goes to the other figure, where it is noticed.
    """
    import matplotlib.pyplot as plt

    before = set(plt.get_fignums())
    figure, ax = _figure_with_axes()
    current = plt.figure()  # without Axes, because a figure with Axes takes ten times as long to create
    try:
        yield figure, ax, current
    finally:
        for number in set(plt.get_fignums()) - before:
            plt.close(number)


_figures: list[Figure] = []  # made before the fork, each with Axes
_settings = [""]  # matplotlib's when they were made
_OTHER = dict.fromkeys(("backend", "interactive"))  # settings that no figure depends on


def prepare_figures(number: int) -> None:
    """Before a fork, make figures for calls in the kernels, because making one takes longer than most answers do."""
    if number > len(_figures):
        from matplotlib.figure import Figure

        _settings[0] = _current_settings()
        _figures[:] = [Figure() for _ in range(number)]
        for figure in _figures:
            figure.subplots()


def _current_settings() -> str:
    """Matplotlib's settings as text, because a student's may be arrays, which have no single truth value when compared."""
    import matplotlib as mpl

    return repr(dict.copy(cast("dict[str, Any]", mpl.rcParams)) | _OTHER)


def _figure_with_axes() -> tuple[Figure, Axes]:
    """Like `plt.subplots()`, with a figure from before the fork, as long as there is one and the settings are the same."""
    import matplotlib.pyplot as plt

    if not _figures or _current_settings() != _settings[0]:
        return plt.subplots()
    figure = plt.figure(FigureClass=lambda **_: _figures.pop())  # type: ignore[arg-type]
    return figure, figure.axes[0] if figure.axes else figure.subplots()  # a student's own `plt.figure` makes another


def _figure(answer: Answer, inputs: Inputs) -> object:
    from labkit.student.calls.snapshot import snapshot

    with _paper() as (_, ax, current):
        answer(*inputs, ax)
        return snapshot(ax, current)


def _picture(answer: Answer, inputs: Inputs) -> np.ndarray:
    """Draw the figure and return its pixels, an array with the shape PIXELS."""
    with _paper() as (figure, ax, _):
        answer(*inputs, ax)
        rows, columns, _colours = PIXELS
        figure.dpi = DPI
        figure.set_size_inches(columns / DPI, rows / DPI)
        return pixels_of(figure)


def pixels_of(figure: Figure) -> np.ndarray:
    """Draw a figure. Returns the red, green and blue of its pixels: (rows, columns, 3), uint8."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].copy()


def _pixels(plain: object, _: Inputs) -> np.ndarray:
    if isinstance(plain, np.ndarray) and plain.dtype == np.uint8 and plain.shape == PIXELS:
        return plain
    raise Malformed("a picture of the wrong size")


add_kind("value", None)
add_kind("function", lambda answer, inputs: answer(*inputs))
add_kind("figure", _figure, lambda plain, _: Drawing.from_plain(plain))
add_kind(PICTURE, _picture, _pixels)


NAME, WORDS = 80, 500  # longest name and message of an error, in characters
MOST_KINDS = 10  # how many names of an error's class and base classes to report
# Errors that labkit itself reports instead of a value. Their messages contain no class name.
NO_VALUE = ("Unsendable", "ReturnedError", "NotImplementedError", *NO_ANSWER)


def call_answer(namespace: Mapping[str, object], name: str, kind: str, inputs: Inputs, twice: bool = False) -> object:
    """Call the answer `name` with these inputs. Returns its value or Raised; a figure is returned as plain data.

    An unwritten answer gives Raised("NotImplementedError"); `state.missing` gives the other reasons why an answer cannot be called.
    Printed output is dropped, because printing is not a mistake. The answer gets copies of arrays. With `twice`, it is called,
    its result is overwritten, and it is called again with the same copies; the second result is returned.
    """
    if reason := state.missing(name, name in namespace):
        return reason
    answer = namespace[name]
    call = KINDS[kind].call
    if call is None:
        return answer
    if not callable(answer):
        return Raised("NotCallable", type(answer).__name__)
    inputs = tuple(arg.copy() if isinstance(arg, np.ndarray) else arg for arg in inputs)
    try:
        nowhere = _nowhere()
        with redirect_stdout(nowhere), redirect_stderr(nowhere):
            return _second(call, answer, inputs) if twice else call(answer, inputs)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # an answer may raise anything, even SystemExit
        if stub := state.stub_of(error):
            return state.unwritten(name, stub)
        kinds = tuple(kind.__name__[:NAME] for kind in type(error).__mro__[:MOST_KINDS])
        return Raised(kinds[0], str(error), kinds)


_opened: list[TextIO] = []


def _nowhere() -> TextIO:
    """A stream for printed output, reused until an answer closes it. Cells may have opened as many files as a kernel may have."""
    with suppress(IndexError, ValueError):  # not opened yet, or without its buffer
        if not _opened[0].closed:
            return _opened[0]
    try:
        _opened[:] = [open(os.devnull, "w")]
    except OSError:
        return io.StringIO()
    return _opened[0]


def _second(call: Call, answer: Answer, inputs: Inputs) -> object:
    """Call the answer twice and return the second result.

    The first result is overwritten before and after the second call, which reveals memory shared by both results. Both calls get
    the same arrays, which reveals an answer that changes its arguments.
    """
    first = call(answer, inputs)
    _overwrite(first)
    second = call(answer, inputs)
    _overwrite(first)
    return second


def _overwrite(result: object) -> None:
    if isinstance(result, np.ndarray) and result.flags.writeable:
        result[...] = 7


def reply(value: object) -> bytes:
    """Write a reply: ["value", data], or ["raised", error, message, names of its class and base classes]."""
    kind = value if isinstance(value, type) else type(value)
    if issubclass(kind, BaseException):
        value = Raised("ReturnedError", kind.__name__)  # without base classes, so that it never counts as raised
    try:
        if isinstance(value, Raised):
            return wire.dumps(["raised", value.error[:NAME], str(value.message)[:WORDS], list(value.kinds)])
        return wire.dumps(["value", value])
    except (wire.Unsendable, ValueError, TypeError) as error:
        return wire.dumps(["raised", "Unsendable", str(error)[:WORDS], []])


def reply_to(request: bytes, namespace: Mapping[str, object]) -> bytes:
    """Inside the kernel: the reply to a request from `labkit.grade.judge.answers` (name, kind, arguments, whether to call twice)."""
    state.restore()
    name, kind, inputs, twice = cast("tuple[str, str, list[Any], bool]", wire.loads(request))
    if kind not in KINDS:
        course.current().labs  # registers the course's own kinds too
    return reply(call_answer(namespace, name, kind, tuple(inputs), twice))


def send_answer(request: str) -> None:
    """Inside a stock kernel: send the reply to a request, both as text, in a display message."""
    from IPython import get_ipython
    from IPython.display import display

    display({wire.MIME: wire.as_text(reply_to(wire.from_text(request), get_ipython().user_ns))}, raw=True)


# Names of the errors that Python and NumPy define.
KNOWN_ERRORS = {
    kind.__name__
    for module in (builtins, np.exceptions, np.linalg)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, BaseException)
}


def known_name(kinds: tuple[str, ...]) -> str:
    """The name of the closest base class that is known. A name that a student chose could reveal hidden arguments."""
    return next((kind for kind in kinds if kind in KNOWN_ERRORS), "Exception")


def read_reply(data: bytes) -> object:
    """Read a reply as a value or Raised. Anything that `reply` did not write gives Raised."""
    try:
        match wire.loads(data):
            case [str(kind), value] if kind == "value":  # comparing an array with a string would raise an error
                return value
            case [str(kind), str(error), str(message), list(named)] if kind == "raised":
                kinds = tuple(each[:NAME] for each in named[:MOST_KINDS] if isinstance(each, str))
                error = error if error in NO_VALUE and not kinds else known_name(kinds or (error,))
                message = known_name((message,)) if error == "ReturnedError" else message
                return Raised(error, message[:WORDS], kinds)  # a forged reply may be long
        return Raised("Malformed", "sent back no reply")
    except wire.Malformed as error:
        return Raised("Malformed", f"sent back {error}")
    except MemoryError:
        return Raised("Malformed", "sent back more than fits in memory")
