"""The true-or-false questions at the end of lab 07."""

from labkit.student.notebook.guesses import Statement

QUIZ = (
    Statement(
        "Errors add up in the float32 formula: row p is off because all the rows before it were.",
        False,
        "Each row is computed from its own position alone, and its angles are rounded in proportion to their size. A running "
        "sum would accumulate errors.",
    ),
    Statement(
        "Entries that are computed in float64 and then rounded to float32 are good to about 3e-8, even at position one million.",
        True,
        "The entries are between -1 and 1, where float32 is precise enough. Only the large angles need more precision.",
    ),
    Statement(
        "If position 10,000 is good, all positions before it are good.",
        False,
        "The error goes up and down from row to row. Only its bound grows steadily.",
    ),
    Statement(
        "From 16,777,216 on, float32 gives two neighbouring positions the same row.",
        True,
        "float32 has 24 bits: 16,777,217 becomes 16,777,216, whatever d is.",
    ),
    Statement(
        "Doubling takes fewer operations than the formula, whatever d is.",
        True,
        "An entry costs half a complex product instead of a sine or a cosine. In small tables the fixed cost of a few calls hides that, and in large ones copying can.",
    ),
)
