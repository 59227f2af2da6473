"""The same kernel for other tools."""
