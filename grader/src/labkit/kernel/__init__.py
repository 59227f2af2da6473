"""A separate process that runs a submission's cells; the grader shares nothing with it and trusts nothing from it."""
