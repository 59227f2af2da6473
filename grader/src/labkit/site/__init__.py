"""One static folder for students: the book of the labs, and JupyterLite, in which they run and check themselves without an install."""
