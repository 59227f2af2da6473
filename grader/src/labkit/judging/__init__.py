"""Is it right, and if not, how."""
