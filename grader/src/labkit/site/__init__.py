"""A static site for students: the book of the labs, and JupyterLite, in which they run without an installation."""
