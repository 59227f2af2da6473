"""Release a course for students, and for the graders nbgrader and Gradescope."""
