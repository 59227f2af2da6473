"""Code that runs inside a fork: confine it, then turn it into a kernel."""
