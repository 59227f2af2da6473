"""What instructors add to results, without altering the raw results."""
