"""The kinds of answers: how each is called inside the kernel, and how what arrives is read where it is judged.

A course adds a kind of its own beside its exercises: `add_kind("sound", call, read)`. `call(answer, inputs)` gives plain data
(what wire.py can carry); `read(plain, inputs)` checks them strictly, since they come from an untrusted kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from labkit.calls.wire import Malformed
from labkit.judging.observation import Raised
from labkit.model.course import Exercise, Probe

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Answer = Callable[..., object]  # a student's function
Inputs = tuple[Any, ...]  # of a kind that its exercise knows
Call = Callable[[Answer, Inputs], object]
Read = Callable[[object, Inputs], object]

PICTURE = "picture"  # how an answer that is a figure is asked for what it looks like
PIXELS, DPI = (360, 480, 3), 75  # rows, columns and colours of a picture, whatever size the answer gave its figure


@dataclass(frozen=True)
class Kind:
    """How an answer of this kind is called, and read; without `call` it is no function, and stands for itself."""

    call: Call | None
    read: Read | None = None  # errors: Malformed


KINDS: dict[str, Kind] = {}


def add_kind(name: str, call: Call | None, read: Read | None = None) -> None:
    KINDS[name] = Kind(call, read)


def kind_of(name: str) -> Kind:
    """The kind of this name; a course's own are there once its exercises are. Errors: KeyError."""
    return KINDS[name]


def gives_plain_data(name: str) -> bool:
    """Whether answers of this kind are functions whose value leaves the kernel as it is."""
    kind = kind_of(name)
    return kind.call is not None and kind.read is None


def received(exercise: Exercise, probe: Probe, value: object) -> object:
    """What an answer gave, in the form that is judged: a Drawing, what a kind of the course reads, or the value itself."""
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
    """A figure, its Axes, and another figure that is the current one: what `plt.…` draws goes astray there, as in a figure of two panels."""
    import matplotlib.pyplot as plt

    before = set(plt.get_fignums())
    figure, ax = plt.subplots()
    current = plt.figure()  # without Axes, which take ten times as long to make as the figure
    try:
        yield figure, ax, current
    finally:
        for number in set(plt.get_fignums()) - before:
            plt.close(number)


def _figure(answer: Answer, inputs: Inputs) -> object:
    from labkit.calls.snapshot import snapshot

    with _paper() as (_, ax, current):
        answer(*inputs, ax)
        return snapshot(ax, current)


def _picture(answer: Answer, inputs: Inputs) -> np.ndarray:
    """The same figure drawn, as PIXELS: red, green and blue of each."""
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
    raise Malformed("no picture of the size that was asked for")


def _drawing(plain: object, _: Inputs) -> object:
    from labkit.calls.axes import Drawing

    return Drawing.from_plain(plain)


add_kind("value", None)
add_kind("function", _function)
add_kind("figure", _figure, _drawing)
add_kind(PICTURE, _picture, _pixels)
