"""Right and wrong answers to lab 03, rotation proof."""
