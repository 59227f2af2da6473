"""What was handed in: read first, then sorted."""
