"""Code that runs inside a fork: it confines the fork and turns it into a kernel."""
