"""Lab 07, precision and cost: what a submission must do, what is true, and right and wrong answers."""
