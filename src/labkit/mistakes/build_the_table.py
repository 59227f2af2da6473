"""The mistakes of lab 01, build the table."""
