"""What a lab imports."""
