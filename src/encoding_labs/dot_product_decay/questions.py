"""Lab 04's five quick questions, with the reasons."""

from labkit.notebook.quiz import Statement

QUIZ = (
    Statement(
        "Every position has the same dot product with itself.",
        True,
        "Each pair adds sin² + cos² = 1, so it is d/2 for every row.",
    ),
    Statement(
        "The farther apart two positions are, the smaller their dot product.",
        False,
        "It swings. At T = 64 and d = 32, 29 of the 63 steps rise.",
    ),
    Statement(
        "At T = 64 and d = 32 every two positions have a positive dot product.",
        True,
        "The smallest is 5.31. The first offset where it is not positive lies far beyond that table, at 474.",
    ),
    Statement(
        "Float32 tables have diagonals that are not quite constant, so the proof holds only nearly.",
        False,
        "The proof is exact. What is left over is rounding, and in float64 it is millions of times smaller.",
    ),
    Statement(
        "With all sines first and then all cosines, the dot products would be others.",
        False,
        "A dot product adds over the columns, in whatever order they stand.",
    ),
)
