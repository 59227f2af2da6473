"""Lab 06, order for attention: what a submission must do, what is true, and right and wrong answers."""
