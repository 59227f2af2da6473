"""Lab 03, rotation proof."""
