"""Right and wrong answers to lab 02, heatmap."""
