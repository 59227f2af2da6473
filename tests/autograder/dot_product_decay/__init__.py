"""Graded tests, reference answers, and right and wrong sample answers for lab 04, dot-product decay."""
