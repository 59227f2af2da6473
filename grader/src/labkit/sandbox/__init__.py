"""What submitted code may read, write and do."""
