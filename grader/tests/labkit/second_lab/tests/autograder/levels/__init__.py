"""Lab 02, levels: its tests and reference."""
