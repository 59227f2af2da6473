"""Name the mistakes behind a wrong table of numbers. Shared by the labs; lab 01 uses it."""
