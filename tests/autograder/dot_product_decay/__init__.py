"""Tests, reference, and right and wrong answers of lab 04, dot-product decay."""
