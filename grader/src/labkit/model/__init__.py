"""What a course, a lab and an exercise are, and where a course keeps its files."""
