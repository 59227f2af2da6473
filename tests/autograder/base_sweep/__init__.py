"""Tests, reference, and right and wrong answers of lab 05, base sweep."""
