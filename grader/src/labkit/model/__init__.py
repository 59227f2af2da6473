"""Define courses, labs and exercises, and where a course keeps its files."""
