"""What the tests of an autograder import: see `expect`."""
