"""Tests, reference, and right and wrong answers of lab 02, heatmap."""
