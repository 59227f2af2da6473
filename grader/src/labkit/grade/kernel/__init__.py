"""Run a submission's cells in a separate process. The grader shares nothing with it and trusts nothing from it."""
