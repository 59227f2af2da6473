"""What makes, checks and grades the labs."""
