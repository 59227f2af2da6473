"""A place to run a submission's cells: a process of its own, which the grader never shares and never believes."""
