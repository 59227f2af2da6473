"""Lab 04, dot-product decay: what a submission must do, what is true, and right and wrong answers."""
