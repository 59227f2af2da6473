"""Limits on untrusted JSON are checked before parsing. The tests compare the counted depth with that of the parsed tree."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.student.model.text import NotJSON, TooDeep, TooManyParts, deeper_than, parts_in, read_json

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
