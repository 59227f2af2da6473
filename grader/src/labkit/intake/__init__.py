"""Read, identify and sort submissions."""
