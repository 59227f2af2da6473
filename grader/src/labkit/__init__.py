"""Create, check and grade labs in Jupyter notebooks."""
