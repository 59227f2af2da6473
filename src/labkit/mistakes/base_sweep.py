"""The mistakes of lab 05, base sweep."""
