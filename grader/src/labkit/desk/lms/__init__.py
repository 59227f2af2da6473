"""Export final scores for an LMS or another tool. Each format has its own module."""
