"""Graded tests of lab 01, build the table, with reference answers and sample answers, right and wrong."""
