"""Submissions in, facts out: run each submission isolated, and record what its checks found."""
