"""Build a static site for students: the book of the labs, and JupyterLite, which runs them without an installation."""
