"""The true-or-false questions at the end of lab 03."""

from labkit.student.notebook.guesses import Statement

QUIZ = (
    Statement(
        "The matrix that takes PE(p) to PE(p + 3) changes a little from position to position.",
        False,
        "It's the same matrix for every p. The position decides where the hands point, not how far they turn.",
    ),
    Statement(
        "The transpose of a shift's matrix undoes the shift.",
        True,
        "Each block is a rotation, and the transpose of a rotation is its inverse. So every shift can be undone.",
    ),
    Statement(
        "Some matrix shifts the rows of a table with all sines first and then all cosines.",
        True,
        "It's the same matrix with rows and columns in that order. Only the matrix for the interleaved table doesn't work.",
    ),
    Statement(
        "A table can pass the rotation test and still have wrong values.",
        True,
        "Start counting at 1, or multiply all entries by 2, and the test notices nothing. To test values, compare values.",
    ),
    Statement(
        "With sines alone, some matrix could still shift the rows; it just wouldn't be a rotation.",
        False,
        "sin(p + δ) needs cos(p), and no matrix makes that out of sines: even the best one leaves an error at nearly "
        "every offset.",
    ),
)
