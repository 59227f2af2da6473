"""Graded tests, reference answers, and right and wrong sample answers for lab 03, rotation proof."""
