"""Tests, reference, and right and wrong answers of lab 07, precision and cost."""
