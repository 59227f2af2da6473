"""Lab 00, blank: what a submission must do, and what is true."""
