"""Call the positional encoding of any library: find out what its parameters mean, and convert what it returns to NumPy."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from labkit.student.model.text import in_a_line
from labkit.student.notebook.language import translated as _

# What a parameter's name says, in lower case.
LENGTH = re.compile(
    r"t|n|steps|rows|block_size|(max_?)?((seq|sequence|context)_?)?len(gth)?|(max|num|n)_(pos(itions?)?|(position_)?embeddings)"
)
WIDTH = re.compile(
    r"d|d_?(model|hid|emb)|dims?|dimensions?|depth|width|channels|columns|features|(num_)?units|(num_)?hiddens?(_(size|dim))?"
    r"|emb(ed(ding)?)?_(dim|size)|n_(embd|dim)|model_dim"
)
POSITIONS = re.compile(r"p|t|x|pos|positions?|position_ids|time_?steps?|times?|offsets|ids")
TURNED = re.compile(r"x|x?[qk]|qk|quer(y|ies)|keys?|tensor|hidden_states|vectors")  # rows for a rotary encoding
# In these dtypes a right value is off by at most so much. NumPy may not know the second.
SHORT = {"float16": 2.0**-11, "bfloat16": 2.0**-8}
TABLES = ("pe", "encoding", "pos_encoding", "positional_encoding", "pos_table", "table", "weight")  # read before others


def _says(meaning: re.Pattern[str], name: str) -> bool:
    return meaning.fullmatch(name.lower()) is not None


class Unreadable(Exception):
    """A function that cannot be called, or whose result has no table. The message says why, in a line."""


def as_array(value: object) -> tuple[np.ndarray, str]:
    """Convert an array, a tensor or a list to NumPy, without axes of length 1. Returns the name of its dtype too.

    Errors: TypeError or ValueError if it holds no real numbers.
    """
    if hasattr(value, "detach"):
        value = value.detach().cpu()
        dtype = str(value.dtype).removeprefix("torch.")
        array = np.asarray(value.float() if dtype == "bfloat16" else value)
    else:
        array = np.asarray(value)
        dtype = array.dtype.name
        array = array.astype(np.float32) if dtype == "bfloat16" else array
    if array.dtype.kind not in "biuf":
        raise TypeError(f"it holds {array.dtype}")
    return array.astype(np.float32) if array.dtype.kind == "f" else array, dtype


def table_in(value: object, T: int, d: int) -> tuple[np.ndarray, str] | None:
    """The first T rows of a table of d columns, and its dtype. Returns None if the value is none."""
    try:
        array, dtype = as_array(value)
    except (TypeError, ValueError, RuntimeError):
        return None
    flat = array.reshape([length for length in array.shape if length != 1] or [1])
    return (flat[:T], dtype) if flat.ndim == 2 and len(flat) >= T and flat.shape[1] == d else None


def table_of(function: object, T: int, d: int) -> tuple[np.ndarray, str]:
    """The table of T positions in d dimensions that a function, a class or a module makes. Errors: Unreadable."""
    problems: list[str] = []
    for attempt in _attempts(function, T, d):
        try:
            value = attempt()
        except Exception as error:  # from any library
            problems.append(in_a_line(error))
            continue
        if (found := table_in(value, T, d)) is not None:
            return found
        problems.append(_("it returned {value}", value=_described(value)))
    why = " ".join((problems or [_("it takes no arguments that mean a length and a width")])[0].split())[:200]
    raise Unreadable(_("no call gives a table of {T} positions and {d} dimensions; {why}", T=T, d=d, why=why))


def _described(value: object) -> str:
    kind, shape = type(value).__name__, getattr(value, "shape", None)
    return kind if shape is None else _("{kind} of shape {shape}", kind=kind, shape=str(tuple(shape)))


def _attempts(function: object, T: int, d: int) -> Iterator[Callable[[], object]]:
    """Yield calls that may give the table, the likeliest first."""
    if inspect.isclass(function):
        yield from _of_an_instance(function, T, d)
        return
    known, unknown = _arguments(function, T, d)
    if unknown and not any(_says(WIDTH, name) for name in known):
        last = [name for name in unknown if not _says(POSITIONS, name)][-1:]
        known |= dict.fromkeys(last, d)
        unknown = [name for name in unknown if name not in last]
    if len(unknown) > 1:
        raise Unreadable(_("it needs {names}, whose meaning is unclear", names=_(" and ").join(unknown)))
    if not unknown:
        yield partial(function, **known)
    for name in unknown or [name for name in known if _says(POSITIONS, name)]:
        rest = {other: value for other, value in known.items() if other != name}
        yield from (partial(function, **{name: positions}, **rest) for positions in _positions(T))
        yield lambda name=name, rest=rest: [function(**{name: row}, **rest) for row in range(T)]


def _arguments(function: Callable, T: int, d: int) -> tuple[dict[str, object], list[str]]:
    """The arguments that names tell, and the names of required parameters that tell nothing.

    Errors: Unreadable if the function has no signature.
    """
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise Unreadable(_("it is not a function, a class or a module")) from None
    known: dict[str, object] = {}
    unknown = []
    for each in parameters:
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            continue
        if _says(WIDTH, each.name) or _says(LENGTH, each.name):
            known[each.name] = d if _says(WIDTH, each.name) else T
        elif each.default is each.empty:
            unknown.append(each.name)
    return known, unknown


def _positions(T: int) -> Iterator[object]:
    """The positions 0 .. T-1 in the forms that a function may ask for."""
    yield T  # a length that is called `position`, as in TensorFlow's tutorial
    yield np.arange(T)
    yield np.arange(T, dtype=np.float32)
    yield np.arange(T)[None]
    if torch := sys.modules.get("torch"):
        yield torch.arange(T)
        yield torch.arange(T).float()
        yield torch.arange(T)[None]
    yield list(range(T))


def _of_an_instance(kind: type, T: int, d: int) -> Iterator[Callable[[], object]]:
    """Make an instance, and read its table: from an attribute, else by calling it."""
    known, unknown = _arguments(kind, T, d)
    given = {name: 0 for name in unknown if "drop" in name.lower() or name == "padding_idx"}
    if len(given) < len(unknown):
        name = next(name for name in unknown if name not in given)
        raise Unreadable(_("{kind} needs {name}, whose meaning is unclear", kind=kind.__name__, name=name))
    try:
        made = kind(**known, **given)
    except Exception as error:  # from any library
        raise Unreadable(_("{name} stops with {error}", name=kind.__name__, error=in_a_line(error))) from None
    if hasattr(made, "eval"):
        made.eval()  # without dropout
    yield from (partial(lambda value: value, value) for value in _stored(made))
    if callable(made):
        yield from (partial(made, argument) for argument in (*_positions(T), *_zeros(T, d)))


def _stored(made: object) -> Iterator[object]:
    """The arrays in an object's attributes, with those of its submodules."""
    own = {**vars(made), **getattr(made, "_buffers", {})}
    own |= getattr(made, "state_dict", dict)()
    yield from (own[name] for name in (*TABLES, *own) if name in own and hasattr(own[name], "shape"))


def _zeros(T: int, d: int) -> Iterator[object]:
    """Embeddings of zeros, to which a module adds its table."""
    for shape in ((1, T, d), (T, 1, d), (T, d)):
        yield np.zeros(shape, dtype=np.float32)
        if torch := sys.modules.get("torch"):
            yield torch.zeros(shape)


def turns_rows(function: Callable) -> bool:
    """Whether a function has the parameters of a rotary encoding: rows, then their positions."""
    try:
        required = [each for each in inspect.signature(function).parameters.values() if each.default is each.empty]
    except (TypeError, ValueError):
        return False
    if len(required) != 2 or inspect.isclass(function):
        return False
    rows, where = (each.name for each in required)
    return _says(TURNED, rows) and _says(POSITIONS, where)


def turned_by(function: Callable, x: np.ndarray, positions: np.ndarray) -> tuple[np.ndarray, str]:
    """The rows x of shape (T, d), turned by a rotary encoding f(x, positions). Errors: Unreadable."""
    problems = []
    for rows, where in _rows_and_positions(x, positions):
        try:
            array, dtype = as_array(function(rows, where))
        except Exception as error:  # from any library
            problems.append(in_a_line(error))
            continue
        if array.size == x.size:
            return array.reshape(x.shape), dtype
        problems.append(_("it returned {value}", value=_described(array)))
    T, d = x.shape
    why = " ".join(problems[0].split())[:200]
    raise Unreadable(_("no call f(x, positions) gives {T} rows of {d}; {why}", T=T, d=d, why=why))


def _rows_and_positions(x: np.ndarray, positions: np.ndarray) -> Iterator[tuple[object, object]]:
    T, d = x.shape
    for shape in ((T, d), (1, T, d), (1, 1, T, d), (1, T, 1, d)):
        rows = x.reshape(shape)
        yield rows, positions
        if torch := sys.modules.get("torch"):
            yield torch.tensor(rows), torch.tensor(positions)
