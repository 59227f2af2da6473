"""Graded tests, reference answers, and right and wrong sample answers for lab 05, base sweep."""
