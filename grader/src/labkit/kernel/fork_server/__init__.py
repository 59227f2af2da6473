"""The warm process that kernels are forked from: starting it, asking it, and its own code."""
