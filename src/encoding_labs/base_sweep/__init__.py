"""Lab 05, base sweep."""
