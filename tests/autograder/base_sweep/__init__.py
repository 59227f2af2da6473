"""Lab 05, base sweep: what a submission must do, what is true, and right and wrong answers."""
