"""Hypothesis strategies for values that a kernel can send, and for arrays."""

from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

numbers = st.one_of(st.integers(), st.floats(), st.booleans(), st.text(max_size=20), st.none(), st.complex_numbers())
values = st.recursive(
    numbers,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.tuples(inner, inner), st.dictionaries(st.text(max_size=5), inner)
    ),
    max_leaves=12,
)
shapes = hnp.array_shapes(min_dims=0, min_side=0)
letters = st.characters(
    codec="utf-8", exclude_characters="\0"
)  # NumPy pads with zeros; unpaired surrogates are refused
arrays = st.one_of(
    hnp.arrays(st.sampled_from(["?", "i8", "u2", "f4", "f8", ">f8", "c16", "S2"]), shapes),
    hnp.arrays("U3", shapes, elements=st.text(letters, max_size=3)),
)
