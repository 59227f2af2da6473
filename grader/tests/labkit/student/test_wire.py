"""Supported values arrive from a kernel unchanged, and everything else is refused, also JSON beyond its limits."""

import json
import math
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from wire_values import arrays, values

from labkit.student.calls import wire
from labkit.student.calls.calling import read_reply, reply
from labkit.student.judging.observation import Raised
from labkit.student.model.text import NotJSON, TooDeep, TooManyParts, deeper_than, parts_in, read_json


def same(one, other) -> bool:
    if isinstance(one, (list, tuple)):
        return type(one) is type(other) and len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(map(same, one.values(), other.values()))
    if isinstance(one, complex):
        return same(one.real, other.real) and same(one.imag, other.imag)
    if isinstance(one, float) and math.isnan(one):
        return isinstance(other, float) and math.isnan(other)
    return type(one) is type(other) and one == other


@given(values)
def test_plain_values_come_through(value):
    assert same(value, wire.loads(wire.dumps(value)))


@given(arrays)
def test_arrays_come_through(array):
    back = wire.loads(wire.dumps(array))
    assert back.dtype == array.dtype and back.shape == array.shape
    np.testing.assert_array_equal(back, array)


def test_half_a_pair_is_no_text_and_is_refused():
    with pytest.raises(wire.Malformed, match="invalid characters"):
        wire.loads(wire.dumps(np.array("\ud800", "U3")))


def test_fortran_order_and_views_come_through():
    array = np.asfortranarray(np.arange(12.0).reshape(3, 4))[:, ::2]
    np.testing.assert_array_equal(wire.loads(wire.dumps(array)), array)


def test_a_list_is_not_an_array_and_a_scalar_stays_one():
    assert wire.loads(wire.dumps([1.0])) == [1.0]
    assert isinstance(wire.loads(wire.dumps(np.float32(2))), np.float32)


class Liar(np.ndarray):
    def __eq__(self, other):
        return True


def test_a_subclass_arrives_as_a_plain_array():
    assert type(wire.loads(wire.dumps(np.zeros(3).view(Liar)))) is np.ndarray


@pytest.mark.parametrize("value", [object(), np.array([object()]), np.zeros(2, [("a", "f4")]), {1: object()}, print])
def test_values_that_are_not_plain_data_are_refused(value):
    with pytest.raises(wire.Unsendable):
        wire.dumps(value)


def test_endless_nesting_and_huge_arrays_are_refused(monkeypatch):
    nested: list = []
    nested.append(nested)
    with pytest.raises(wire.Unsendable, match="deep"):
        wire.dumps(nested)
    monkeypatch.setattr(wire, "MAX_BYTES", 8)
    with pytest.raises(wire.Unsendable, match="MiB"):
        wire.dumps(np.zeros(2))


def sent(data: object, arrays: bytes = b"") -> bytes:
    return json.dumps(data).encode() + b"\n" + arrays


def array(dtype: object, shape: object, data: bytes, **more: object) -> bytes:
    return sent({"dtype": dtype, "shape": shape, "scalar": False, **more}, data)


TWO = bytes(16)  # of float64


@pytest.mark.parametrize(
    "data",
    [
        *(
            array(dtype, [2], TWO)
            for dtype in ("O", "|O8", "V8", "<M8", "f8,f8", "(2,)f8", "float64", "object", "", None, 3)
        ),
        *(
            array("<f8", shape, TWO)
            for shape in (2, "2", None, [-2], [2.0], [True, 2], ["2"], [3], [1], [2**62, 4], [1] * 99)
        ),
        array("<f8", [10**12], b""),  # announces data that is missing
        array("<f8", [2], TWO + b"\0"),  # more data than the shape needs
        array("|S0", [10**9], b""),  # 300 bytes that became 4 GB
        array("<U0", [10**9], b""),
        array("<U999999999", [1], TWO),
        array("<f8", [0, 10**30], b""),
        array("|b1", [2**60, 0], b""),  # too large for another dtype, and as a list
        array("|i1", [0, 1000001], b""),
        array("<U1", [1], b"\0\xd8\0\0"),  # half a surrogate pair
        array(">U1", [1], b"\0\0\xdf\xff"),
        array("<U1", [2], b"A\0\0\0\0\0\x11\0"),  # beyond the last Unicode character
        array("<f8", [2], TWO, more=1),
        sent({"dtype": "<f8", "shape": [2]}, TWO),
        sent({"list": [{"dtype": "<f8", "shape": [2], "scalar": False}] * 2}, TWO),
        sent({"list": []}, TWO),  # an array that no value has
        sent({"set": list(range(1001))}),
        sent({"dict": [[number, 0] for number in range(1001)]}),
        sent({"unknown": 1}),
        sent({"list": 3}),
        sent({"dict": [[1]]}),
        sent({"dict": [[{"list": []}, 1]]}),
        sent({"set": [{"list": []}]}),
        sent({"float": "1.0"}),
        sent({"complex": ["a", "b"]}),
        sent({"list": [], "more": 1}),
        sent([1, 2]),
        *(b"", b"\n", b"{", b"[" * 100_000, b'{"list":' * 5_000 + b"[]" + b"}" * 5_000, b'"\xff"'),
    ],
)
def test_malformed_data_are_refused(data):
    with pytest.raises(wire.Malformed):
        wire.loads(data)


def test_arrays_arrive_in_their_places():
    value = {"a": (np.zeros(2), [np.float32(1), "b"]), 2: np.arange(6).reshape(2, 3), np.int64(3): np.array(["é"])}
    back = wire.loads(wire.dumps(value))
    assert repr(back) == repr(value)


@pytest.mark.parametrize("text", [None, 3, "", "not base64!", "é", "AAA"])
def test_text_that_carries_no_bytes_is_no_value(text):
    assert wire.from_text(wire.as_text(b"\0\xff")) == b"\0\xff" and wire.from_text(text) == b""


@pytest.mark.parametrize("value", ["a\ud800b", ["\udfff"], {"a\ud800b": ("\ud800", 1)}, {"\ud83d"}])
def test_text_that_cannot_be_written_is_mended(value):
    """One answer whose error message had such text used to leave the whole class without a gradebook."""
    back = wire.loads(wire.dumps(value))
    assert str(back).encode() and "?" in str(back) and type(back) in (type(value), frozenset)
    raised = read_reply(reply(Raised("Err\ud800r", "what\ud800", ("Err\ud800r", "ValueError"))))
    assert raised == Raised("ValueError", "what?") and raised.kinds == ("Err?r", "ValueError")


def test_characters_past_the_first_plane_come_through():
    value = ["\N{GRINNING FACE}", "\U0010ffff", "\ue000\ud7ff", {"é": "\0"}]
    assert wire.loads(wire.dumps(value)) == value
    array = np.array(value[:3])
    for each in (array, array.astype(">U2")):
        np.testing.assert_array_equal(wire.loads(wire.dumps(each)), each)


@pytest.mark.parametrize("value", [set(range(1001)), dict.fromkeys(range(1001))])
def test_too_many_keys_are_reported_before_they_are_sent(value):
    with pytest.raises(wire.Unsendable, match="1,001 entries"):
        wire.dumps(value)
    wire.loads(wire.dumps(type(value)(list(value)[:1000]) if type(value) is set else dict.fromkeys(range(1000))))


def test_too_many_values_are_refused(monkeypatch):
    monkeypatch.setattr(wire, "MAX_ITEMS", 10)
    with pytest.raises(wire.Malformed, match="many"):
        wire.loads(wire.dumps([1] * 20))


def test_an_error_that_is_forged_says_no_more_than_one_that_is_sent():
    forged = read_reply(wire.dumps(["raised", "E" * 99_000, "m" * 99_000, ["k" * 99_000] * 99]))
    assert len(forged.kinds) == 10 and set(forged.kinds) == {"k" * 80}
    assert forged == read_reply(reply(Raised("E" * 99_000, "m" * 99_000))) == Raised("Exception", "m" * 500)


leaves = st.none() | st.booleans() | st.text(alphabet='[]{}"\\é\x00a', max_size=8)
trees = st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner))


def levels(tree: object) -> int:
    inside = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else None
    return 0 if inside is None else 1 + max(map(levels, inside), default=0)


@given(trees, st.booleans())
def test_levels_are_those_of_the_tree(tree, ascii_only):
    content, depth = json.dumps(tree, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass"), levels(tree)
    assert not deeper_than(depth, content) and (depth == 0 or deeper_than(depth - 1, content))


@pytest.mark.parametrize("content", [b'"\\' * 10**6, b'"' * 10**6 + b"[" * 200, b"[" * 10**6, b'["\\"' * 10**6, b""])
def test_malformed_json_is_refused_quickly(content):
    started = time.process_time()
    deeper_than(100, content)
    assert time.process_time() - started < 2  # linear code takes a hundredth of this, quadratic code hours


@given(trees, st.booleans())
def test_json_within_bounds_is_read(tree, ascii_only):
    text = json.dumps(tree, ensure_ascii=ascii_only)
    bounds = {"parts": parts_in(text.encode()), "levels": levels(tree)}
    assert read_json(text, **bounds) == read_json(text.encode(), **bounds) == tree


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"[1, 2, 3, 4]", TooManyParts),
        (b"[[[1]]]", TooDeep),
        (b"", NotJSON),
        (b"[1", NotJSON),
        (b"9" * 10_000, NotJSON),
        (b'"\xff"', NotJSON),
        (b'"\xed\xa0\x80"', NotJSON),  # an unpaired surrogate, which UTF-8 cannot encode
        ('"a"'.encode("utf-16"), NotJSON),
    ],
)
def test_json_beyond_bounds_or_malformed_is_refused(content, error):
    with pytest.raises(NotJSON) as refused:
        read_json(content, parts=3, levels=2)
    assert type(refused.value) is error


def test_levels_that_a_parser_has_no_stack_for_are_too_deep():
    with pytest.raises(TooDeep):
        read_json(b"[" * 300_000 + b"]" * 300_000, parts=10**6, levels=10**6)


@pytest.mark.parametrize(
    ("content", "value"),
    [
        (b'{"a": 1, "a": 2}', {"a": 2}),
        (b'["\\ud800", {"\\uDC00": "\\ud83d\\ude00"}]', ["?", {"?": "\U0001f600"}]),
        ('["\ud800"]', ["?"]),
        (b"-Infinity", float("-inf")),
    ],
)
def test_odd_values_are_read_the_same_everywhere(content, value):
    assert read_json(content, parts=9, levels=9) == value
