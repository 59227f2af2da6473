"""Tests, reference, and right and wrong answers of lab 01, build the table."""
