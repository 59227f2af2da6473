"""Grade many submissions: submissions in, results out."""
