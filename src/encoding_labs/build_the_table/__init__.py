"""Lab 01, build the table."""
