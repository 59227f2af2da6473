"""The mistakes of lab 03, rotation proof."""
