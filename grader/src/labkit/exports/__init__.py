"""Export final scores for an LMS or another tool, one file for each format."""
