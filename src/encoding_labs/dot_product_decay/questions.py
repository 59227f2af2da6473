"""The true-or-false questions at the end of lab 04."""

from labkit.student.notebook.guesses import Statement

QUIZ = (
    Statement(
        "Every position has the same dot product with itself.",
        True,
        "Each pair adds sin² + cos² = 1, so it's d/2 for every row.",
    ),
    Statement(
        "The farther apart two positions are, the smaller their dot product.",
        False,
        "It swings. At T = 64 and d = 32, 29 of the 63 steps rise.",
    ),
    Statement(
        "At T = 64 and d = 32 any two positions have a positive dot product.",
        True,
        "The smallest is 5.31. The first offset where it isn't positive is far beyond that table, at 474.",
    ),
    Statement(
        "The diagonals of a float32 table's Gram matrix aren't quite constant, so the proof holds only approximately.",
        False,
        "The proof is exact. What's left is rounding, and in float64 it's hundreds of millions of times smaller.",
    ),
    Statement(
        "With all sines first and then all cosines, the dot products would be different.",
        False,
        "A dot product adds over the columns, and their order doesn't matter.",
    ),
)
