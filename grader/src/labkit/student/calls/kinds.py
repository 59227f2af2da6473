"""Kinds of answers: how the kernel calls each, and how the grader reads the result.

A course can add a kind next to its exercises: `add_kind("sound", call, read)`. `call(answer, inputs)` returns plain data that
wire.py can encode. `read(plain, inputs)` validates it strictly, because it comes from an untrusted kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from labkit.student.calls.wire import Malformed
from labkit.student.judging.observation import Raised
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


KINDS: dict[str, Kind] = {}


def add_kind(name: str, call: Call | None, read: Read | None = None) -> None:
    KINDS[name] = Kind(call, read)


def kind_of(name: str) -> Kind:
    """The kind with this name. A course's own kinds are registered when its exercises are loaded. Errors: KeyError."""
    return KINDS[name]


def gives_plain_data(name: str) -> bool:
    """Whether answers of this kind are functions that return plain data."""
    kind = kind_of(name)
    return kind.call is not None and kind.read is None


def received(exercise: Exercise, probe: Probe, value: object) -> object:
    """Convert an answer's result with the `read` of its kind, for example to a Drawing. Without a `read`, the result itself is checked."""
    read = kind_of(exercise.kind).read
    if read is None or isinstance(value, Raised):
        return value
    try:
        return read(value, probe.inputs())
    except Malformed as error:
        return Raised("Malformed", str(error))


def _function(answer: Answer, inputs: Inputs) -> object:
    return answer(*inputs)


@contextmanager
def _paper() -> Iterator[tuple[Figure, Axes, Figure]]:
    """Create a figure and its Axes, and make another figure the current one.

    Anything drawn with `plt.…` then goes to the other figure, where it is noticed.
    """
    import matplotlib.pyplot as plt

    before = set(plt.get_fignums())
    figure, ax = plt.subplots()
    current = plt.figure()  # without Axes, because a figure with Axes takes ten times as long to create
    try:
        yield figure, ax, current
    finally:
        for number in set(plt.get_fignums()) - before:
            plt.close(number)


def _figure(answer: Answer, inputs: Inputs) -> object:
    from labkit.student.calls.snapshot import snapshot

    with _paper() as (_, ax, current):
        answer(*inputs, ax)
        return snapshot(ax, current)


def _picture(answer: Answer, inputs: Inputs) -> np.ndarray:
    """Draw the figure and return the red, green and blue of each pixel, an array with the shape PIXELS."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    with _paper() as (figure, ax, _):
        answer(*inputs, ax)
        rows, columns, colours = PIXELS
        figure.dpi = DPI
        figure.set_size_inches(columns / DPI, rows / DPI)
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        return np.asarray(canvas.buffer_rgba())[..., :colours].copy()


def _pixels(plain: object, _: Inputs) -> np.ndarray:
    if isinstance(plain, np.ndarray) and plain.dtype == np.uint8 and plain.shape == PIXELS:
        return plain
    raise Malformed("a picture of the wrong size")


def _drawing(plain: object, _: Inputs) -> object:
    from labkit.student.calls.axes import Drawing

    return Drawing.from_plain(plain)


add_kind("value", None)
add_kind("function", _function)
add_kind("figure", _figure, _drawing)
add_kind(PICTURE, _picture, _pixels)
