"""A locked module, provided in lab 02 and built by students in lab 01."""
