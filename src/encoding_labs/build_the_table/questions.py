"""The true-or-false questions at the end of lab 01."""

from labkit.student.notebook.guesses import Statement

QUIZ = (
    Statement(
        "Without a mask or positions, attention gives a word the same result wherever it is in the sentence.",
        True,
        "It takes a weighted mean of all rows, and a mean is the same in any order. Adding the table changes that, and so "
        "does a causal mask: then the first word sees only itself.",
    ),
    Statement(
        "The lowest frequency is 1/10000.",
        False,
        "It is 10000^(-(d-2)/d): 0.001 at d = 8, 0.000178 at d = 32. It is close to 1/10000 only if d is large.",
    ),
    Statement(
        "Two positions further apart than the longest wavelength can have the same row.",
        False,
        "In exact arithmetic no two positions ever have the same row, even at d = 2: a whole number of positions never makes a whole "
        "number of turns of the first clock, since π is irrational.",
    ),
    Statement(
        "With all sines first, then all cosines, the table is as useful to a model as with sines and cosines interleaved.",
        True,
        "It is the same table with its columns in a different order. The code that writes the table and the code that reads it "
        "must agree on one order; this course interleaves.",
    ),
    Statement(
        "The formula gives rows even for positions that were never seen in training.",
        True,
        "It gives a row for any position. Whether a model can use a row it has never seen is another question.",
    ),
)
