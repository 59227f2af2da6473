"""The autograder: tests, references, and right and wrong answers, one folder for each lab. Students do not get it."""
