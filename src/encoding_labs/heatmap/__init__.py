"""Lab 02, heatmap."""
