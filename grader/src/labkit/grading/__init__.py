"""Submissions in, results out."""
