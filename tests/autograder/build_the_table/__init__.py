"""Lab 01, build the table: what a submission must do, what is true, and right and wrong answers."""
