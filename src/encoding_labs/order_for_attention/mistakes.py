"""The mistakes of lab 06, order for attention, found by what it is that an answer gives: weights, sums or turns."""

from encoding_labs.order_for_attention import sums, turns, weights  # noqa: F401  each enters its mistakes
