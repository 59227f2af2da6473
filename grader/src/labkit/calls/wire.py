"""Values on their way out of an untrusted kernel: numbers, text and plain arrays, and nothing that runs.

An array travels as the bytes of the npy format. Reading never unpickles: the header is at most 1,000 bytes, the dtype
is boolean, number or text, and the bytes must be as many as the shape promises. All text that is read can be written.
"""

from __future__ import annotations

import base64
import io
import json
import math

import numpy as np
from numpy.lib import format as npy

from labkit.model.bounded_json import TooDeep, TooManyParts, read_json

MIME = "application/vnd.labkit.answer+json"
PLAIN_KINDS = frozenset("biufcSU")
MAX_BYTES = 8 * 2**20
MAX_TEXT = 100_000  # characters
MAX_DEPTH = 40
MAX_KEYS = 1_000  # of a set or dict: one whose keys were chosen to collide takes the square of their number
SEQUENCES = frozenset({"list", "tuple", "set", "dict", "complex"})  # what is written as a list, by its name
LOOKED_UP = frozenset({"set", "dict"})
MAX_ITEMS = 1_000_000  # a table of (1000, 128) as a list of lists has 129,000
MAX_LEVELS = 6 * MAX_DEPTH  # of JSON: a dict takes three for each of its own, and `decode` takes twice MAX_DEPTH
TOO_MUCH = "too deep or too many values"


class Unsendable(ValueError):
    """The value is not plain data; its message says what it is instead."""


class Malformed(ValueError):
    """The bytes received are not what this module writes."""


def encode(value: object) -> object:
    """A value as JSON-ready data. Lists, tuples and dicts keep their kind, so that a list is not mistaken for an array.

    Errors: Unsendable, naming the type, for anything but numbers, text, arrays of them, and containers of these.
    """
    return _encode(value, 0)


def _encode(value: object, depth: int) -> object:
    if depth > MAX_DEPTH:
        raise Unsendable("a value nested too deeply")
    if isinstance(value, str) and len(value) > MAX_TEXT:
        raise Unsendable(f"a text of {len(value):,} characters")
    if value is None or isinstance(value, (bool, str)) and type(value) in (bool, str):
        return value
    if type(value) is int:
        return value
    if type(value) is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    if type(value) is complex:
        return {"complex": [_encode(value.real, depth), _encode(value.imag, depth)]}
    if isinstance(value, (np.ndarray, np.generic)):
        plain = np.asarray(value)
        if plain.dtype.kind not in PLAIN_KINDS:
            raise Unsendable(f"an array of dtype {plain.dtype}")
        if plain.nbytes > MAX_BYTES:
            raise Unsendable(f"an array of {plain.nbytes / 2**20:.0f} MiB")
        buffer = io.BytesIO()
        npy.write_array(buffer, plain, version=(1, 0), allow_pickle=False)
        return {"npy": base64.b64encode(buffer.getvalue()).decode("ascii"), "scalar": isinstance(value, np.generic)}
    if isinstance(value, (list, tuple)):
        kind = "tuple" if type(value) is tuple else "list"
        return {kind: [_encode(item, depth + 1) for item in value]}
    if isinstance(value, (set, frozenset, dict)) and len(value) > MAX_KEYS:
        raise Unsendable(f"a {type(value).__name__} of {len(value):,} entries")
    if isinstance(value, (set, frozenset)):
        return {"set": [_encode(item, depth + 1) for item in sorted(value, key=repr)]}
    if isinstance(value, dict):
        return {"dict": [[_encode(key, depth + 1), _encode(item, depth + 1)] for key, item in value.items()]}
    raise Unsendable(f"a {type(value).__name__}")


def decode(data: object) -> object:
    """The value that `encode` was given. Errors: Malformed."""
    budget = [MAX_ITEMS]
    return _decode(data, 0, budget)


def _decode(data: object, depth: int, budget: list[int]) -> object:
    budget[0] -= 1
    if depth > 2 * MAX_DEPTH or budget[0] < 0:
        raise Malformed(TOO_MUCH)
    if data is None or isinstance(data, (bool, int, float)):
        return data
    if isinstance(data, str):
        if len(data) > MAX_TEXT:
            raise Malformed("a text longer than an answer may be")
        return data
    if not isinstance(data, dict):
        raise Malformed("neither a value nor a container")
    if len(data) == 1:  # told apart by the name, since hostile answers have a million of them
        [(kind, content)] = data.items()
        if kind == "float" and content in ("nan", "inf", "-inf"):
            return float(content)
        if kind in SEQUENCES and isinstance(content, list):
            return _sequence(kind, content, depth, budget)
    elif data.keys() == {"npy", "scalar"} and isinstance(data["npy"], str) and isinstance(data["scalar"], bool):
        array = read_array(data["npy"])
        return array[()] if data["scalar"] and array.ndim == 0 else array
    raise Malformed("not a form this module writes")


def _sequence(kind: str, content: list[object], depth: int, budget: list[int]) -> object:
    if kind in LOOKED_UP and len(content) > MAX_KEYS:
        raise Malformed("too many to look up by")
    if kind == "dict":
        pairs = [item for item in content if isinstance(item, list) and len(item) == 2]
        if len(pairs) < len(content):
            raise Malformed("not a dict")
        return {_hashable(_decode(key, depth + 1, budget)): _decode(item, depth + 1, budget) for key, item in pairs}
    items = [_decode(item, depth + 1, budget) for item in content]
    match kind, items:
        case "list", _:
            return items
        case "tuple", _:
            return tuple(items)
        case "set", _:
            return frozenset(map(_hashable, items))
        case "complex", [float(real), float(imaginary)]:
            return complex(real, imaginary)
    raise Malformed(f"not a {kind}")


def _hashable(value: object) -> object:
    if not isinstance(value, (str, int, float, bool, complex, np.generic, type(None))):
        raise Malformed("not something to look up by")
    return value


def read_array(text: str) -> np.ndarray:
    """The array in base64 npy bytes, read strictly. Errors: Malformed."""
    if len(text) > 2 * MAX_BYTES:
        raise Malformed("more bytes than an answer may have")
    try:
        stream = io.BytesIO(base64.b64decode(text, validate=True))
        if npy.read_magic(stream) != (1, 0):
            raise Malformed("not npy version 1.0")
        shape, fortran_order, dtype = npy.read_array_header_1_0(stream, max_header_size=1000)
    except Malformed:
        raise
    except Exception as error:  # numpy and base64 raise many kinds for bad bytes; each of them means the same here
        raise Malformed(f"not an npy array ({type(error).__name__})") from None
    if dtype.kind not in PLAIN_KINDS or dtype.hasobject or dtype.itemsize == 0:
        raise Malformed(f"an array of dtype {dtype}")
    payload = stream.read()
    if (
        any(not isinstance(size, int) or size < 0 for size in shape)
        or len(payload) != math.prod(shape) * dtype.itemsize
    ):
        raise Malformed("as many bytes as the shape promises are not there")
    if dtype.kind == "U" and not _is_text(np.frombuffer(payload, np.dtype("u4").newbyteorder(dtype.byteorder))):
        raise Malformed("text of characters that there are not")
    try:
        return np.frombuffer(payload, dtype).reshape(shape, order="F" if fortran_order else "C").copy()
    except (ValueError, OverflowError):
        raise Malformed("a shape that no array has") from None


def _is_text(codes: np.ndarray) -> bool:
    """Whether characters have these numbers: there are none in the gap of the surrogates, and none past the last plane."""
    return not ((codes > 0x10FFFF) | (codes >= 0xD800) & (codes < 0xE000)).any()


def dumps(value: object) -> str:
    return json.dumps(encode(value), allow_nan=False)


def loads(text: str) -> object:
    """The value in a JSON text. Errors: Malformed."""
    try:
        return decode(read_json(text, parts=MAX_ITEMS, levels=MAX_LEVELS))
    except (TooDeep, TooManyParts):
        raise Malformed(TOO_MUCH) from None
    except ValueError as error:
        raise error if isinstance(error, Malformed) else Malformed("not JSON") from None
