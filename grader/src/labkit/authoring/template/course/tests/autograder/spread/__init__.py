"""Lab 01, spread: what a submission must do, and what is true."""
