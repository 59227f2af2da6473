"""What grading came to, as an LMS or another tool takes it: a format a file."""
