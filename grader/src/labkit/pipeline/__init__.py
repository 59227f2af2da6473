"""Grade, score, report: what `labkit grade` and `labkit merge` run."""
