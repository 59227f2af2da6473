"""A course as other graders take it: nbgrader's course tree, Gradescope's autograder."""
