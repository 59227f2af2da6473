"""What is true, in float64: one module per lab, one function per exercise. It stays with the grader."""
