"""Graded tests of lab 02, heatmap, with reference answers and sample answers, right and wrong."""
