"""Lab 02, levels: what a submission must do, and what is true."""
