"""Grade, score and report: the steps of `labkit grade` and `labkit merge`."""
