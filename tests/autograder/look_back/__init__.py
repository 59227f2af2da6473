"""Graded tests, reference answers, and right and wrong sample answers for lab 08, a head that learns to look back."""
