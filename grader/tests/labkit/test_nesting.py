"""How deep JSON is nested, against a count by the tree itself."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.intake.nesting import deeper_than

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
def test_what_is_no_json_takes_no_long_time(content):
    started = time.process_time()
    deeper_than(100, content)
    assert time.process_time() - started < 2  # linear takes a hundredth of it, quadratic hours
