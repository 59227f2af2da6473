"""Decide whether an answer is right, and if it is wrong, find out why."""
