"""A locked module: given in lab 02, asked for in lab 01."""
