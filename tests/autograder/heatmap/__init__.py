"""Lab 02, heatmap: what a submission must do, what is true, and right and wrong answers."""
