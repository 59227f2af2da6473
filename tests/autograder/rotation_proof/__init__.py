"""Tests, reference, and right and wrong answers of lab 03, rotation proof."""
