"""What runs inside a fork: it is held in, and becomes a kernel."""
