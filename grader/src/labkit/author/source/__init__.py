"""Build notebooks from a lab's source."""
