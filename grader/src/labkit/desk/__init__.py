"""The instructor's additions to results. They never alter the raw results."""
