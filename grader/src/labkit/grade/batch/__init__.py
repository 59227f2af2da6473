"""Grade many submissions, and return their results."""
