"""Decide whether an answer is right, and if not, what is wrong with it."""
