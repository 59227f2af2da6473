"""What submissions must do and what is true, a folder for each lab. It stays with the grader."""
