"""Encode values that leave an untrusted kernel: numbers, text and plain arrays, nothing executable.

A value is sent as a line of JSON, followed by the bytes of its arrays, whose dtypes and shapes are in the JSON. When it is read, a
dtype must be boolean, numeric or text, and an empty array has no huge dimension. Text that is read has no unpaired surrogates, so
it can be written as UTF-8.
"""

from __future__ import annotations

import base64
import io
import json
import math
import re

import numpy as np

from labkit.student.model.text import TooDeep, TooManyParts, read_json

MIME = "application/vnd.labkit.answer+json"
PLAIN_KINDS = frozenset("biufcSU")
DTYPE = re.compile(r"[<>|=]?[biufcSU]\d{1,9}")
MAX_BYTES = 8 * 2**20
MOST_OF_ARRAY = 2 * MAX_BYTES  # bytes of one array that are read
MAX_TEXT = 100_000  # characters
MAX_DEPTH = 40
MAX_KEYS = 1_000  # limit on the keys in a set or dict, because colliding keys take quadratic time
SEQUENCES = frozenset({"list", "tuple", "set", "dict", "complex"})  # types that are written as a list
LOOKED_UP = frozenset({"set", "dict"})
MAX_ITEMS = 1_000_000  # a (1000, 128) table as a list of lists has 129,000
MAX_LEVELS = 6 * MAX_DEPTH  # of JSON: each dict takes three levels, and `decode` allows twice MAX_DEPTH
TOO_MUCH = "too deep or too many values"


class Unsendable(ValueError):
    """The value is not plain data; the message says what it is."""


class Malformed(ValueError):
    """The received bytes were not written by this module."""


def dumps(value: object) -> bytes:
    """Write a value as bytes. Lists, tuples and dicts keep their type, so that a list differs from an array.

    Numbers, text, arrays of these, and containers of these are accepted. Errors: Unsendable, which names any other type.
    """
    arrays = io.BytesIO()
    text = json.dumps(_encode(value, 0, arrays), allow_nan=False)
    return b"".join((text.encode("ascii"), b"\n", arrays.getbuffer()))


def _encode(value: object, depth: int, arrays: io.BytesIO) -> object:
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
        return {"complex": [_encode(value.real, depth, arrays), _encode(value.imag, depth, arrays)]}
    if isinstance(value, (np.ndarray, np.generic)):
        plain = np.asarray(value)
        if plain.dtype.kind not in PLAIN_KINDS:
            raise Unsendable(f"an array of dtype {plain.dtype}")
        if plain.nbytes > MAX_BYTES:
            raise Unsendable(f"an array of {plain.nbytes / 2**20:.0f} MiB")
        arrays.write(plain.tobytes())
        return {"dtype": plain.dtype.str, "shape": plain.shape, "scalar": isinstance(value, np.generic)}
    if isinstance(value, (list, tuple)):
        kind = "tuple" if type(value) is tuple else "list"
        return {kind: [_encode(item, depth + 1, arrays) for item in value]}
    if isinstance(value, (set, frozenset, dict)) and len(value) > MAX_KEYS:
        raise Unsendable(f"a {type(value).__name__} of {len(value):,} entries")
    if isinstance(value, (set, frozenset)):
        return {"set": [_encode(item, depth + 1, arrays) for item in sorted(value, key=repr)]}
    if isinstance(value, dict):
        both = ((_encode(key, depth + 1, arrays), _encode(item, depth + 1, arrays)) for key, item in value.items())
        return {"dict": list(map(list, both))}
    raise Unsendable(f"a {type(value).__name__}")


def loads(data: bytes) -> object:
    """Return the value that was passed to `dumps`. Errors: Malformed."""
    text, _, arrays = data.partition(b"\n")
    reader = _Reader(arrays)
    try:
        value = reader.decode(read_json(text, parts=MAX_ITEMS, levels=MAX_LEVELS), 0)
    except (TooDeep, TooManyParts):
        raise Malformed(TOO_MUCH) from None
    except ValueError as error:
        raise error if isinstance(error, Malformed) else Malformed("not JSON") from None
    if reader.arrays.read(1):
        raise Malformed("more bytes than the value needs")
    return value


class _Reader:
    """Decodes one value, and counts its items."""

    def __init__(self, arrays: bytes):
        self.arrays, self._items = io.BytesIO(arrays), 0

    def decode(self, data: object, depth: int) -> object:
        self._items += 1
        if depth > 2 * MAX_DEPTH or self._items > MAX_ITEMS:
            raise Malformed(TOO_MUCH)
        if data is None or isinstance(data, (bool, int, float)):
            return data
        if isinstance(data, str):
            if len(data) > MAX_TEXT:
                raise Malformed("a text that is too long")
            return data
        if not isinstance(data, dict):
            raise Malformed("neither a value nor a container")
        if len(data) == 1:  # look the kind up once, because hostile data may have a million containers
            [(kind, content)] = data.items()
            if kind == "float" and content in ("nan", "inf", "-inf"):
                return float(content)
            if kind in SEQUENCES and isinstance(content, list):
                return self._sequence(kind, content, depth)
        elif data.keys() == {"dtype", "shape", "scalar"}:
            array = self._array(data["dtype"], data["shape"])
            return array[()] if data["scalar"] is True and array.ndim == 0 else array
        raise Malformed("an unknown encoding")

    def _array(self, name: object, shape: object) -> np.ndarray:
        if not isinstance(name, str) or not DTYPE.fullmatch(name) or not isinstance(shape, list):
            raise Malformed("an array of an unknown form")
        if any(type(size) is not int or size < 0 for size in shape):
            raise Malformed("an array of an impossible shape")
        try:
            dtype = np.dtype(name)
            size = math.prod(shape) * dtype.itemsize
            if dtype.itemsize == 0 or not size and math.prod(each or 1 for each in shape) > MAX_ITEMS:
                raise Malformed("an empty array of an impossible shape")  # as a list, it would not fit in memory
            data = self.arrays.read(min(size, MOST_OF_ARRAY))
            if dtype.kind == "U" and not _is_text(np.frombuffer(data, np.dtype("u4").newbyteorder(dtype.byteorder))):
                raise Malformed("text with invalid characters")
            return np.frombuffer(data, dtype).reshape(shape).copy()
        except Malformed:
            raise
        except (TypeError, ValueError, OverflowError):  # no such dtype, wrong number of bytes, or too many dimensions
            raise Malformed("an array of an impossible form") from None

    def _sequence(self, kind: str, content: list[object], depth: int) -> object:
        if kind in LOOKED_UP and len(content) > MAX_KEYS:
            raise Malformed("too many keys")
        if kind == "dict":
            pairs = [item for item in content if isinstance(item, list) and len(item) == 2]
            if len(pairs) < len(content):
                raise Malformed("not a dict")
            return {_hashable(self.decode(key, depth + 1)): self.decode(item, depth + 1) for key, item in pairs}
        items = [self.decode(item, depth + 1) for item in content]
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
        raise Malformed("an invalid key")
    return value


def _is_text(codes: np.ndarray) -> bool:
    """Whether all code points are valid characters: no surrogates, none beyond the last plane."""
    return not ((codes > 0x10FFFF) | (codes >= 0xD800) & (codes < 0xE000)).any()


def as_text(data: bytes) -> str:
    """Write bytes as text, for Jupyter's messages."""
    return base64.b64encode(data).decode("ascii")


def from_text(text: object) -> bytes:
    """The bytes that `as_text` wrote. Anything else gives no bytes, which are no value."""
    try:
        return base64.b64decode(text, validate=True) if isinstance(text, str) else b""
    except ValueError:
        return b""
