"""The autograder: tests and references, one folder for each lab. Students do not get it."""
