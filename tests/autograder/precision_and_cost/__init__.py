"""Graded tests, reference answers, and right and wrong sample answers for lab 07, precision and cost."""
