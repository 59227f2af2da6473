"""The warm process that kernels are forked from: how it is started, asked, and what it does."""
