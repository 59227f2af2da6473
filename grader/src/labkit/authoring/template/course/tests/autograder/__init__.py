"""What submissions must do and what is true, a folder for each lab. Students do not get it."""
