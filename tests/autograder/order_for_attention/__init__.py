"""Tests, reference, and right and wrong answers of lab 06, order for attention."""
