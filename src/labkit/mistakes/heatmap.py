"""The mistakes of lab 02, heatmap."""
