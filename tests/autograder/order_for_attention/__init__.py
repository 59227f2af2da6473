"""Graded tests, reference answers, and right and wrong sample answers for lab 06, order for attention."""
