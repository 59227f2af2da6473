"""Release a course: for students, and for other graders (nbgrader, Gradescope)."""
