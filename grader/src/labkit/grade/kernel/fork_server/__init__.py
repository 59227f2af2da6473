"""The fork server, a warm process from which kernels are forked: its client, its start, and its own code."""
