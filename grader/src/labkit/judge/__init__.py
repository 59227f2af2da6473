"""Grade one submission."""
