"""Lab 03, rotation proof: what a submission must do, what is true, and right and wrong answers."""
