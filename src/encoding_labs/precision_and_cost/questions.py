"""The true-or-false questions at the end of lab 07."""

from labkit.notebook.quiz import Statement

QUIZ = (
    Statement(
        "The float32 formula adds up its errors: row p is off because all rows before it were.",
        False,
        "Each row comes from its own position. Its angles are rounded anew, in proportion to their size. A running sum would "
        "accumulate.",
    ),
    Statement(
        "Entries kept in float32 are good to about 3e-8 at a million positions, if they are computed in float64 and rounded at the end.",
        True,
        "The entries are between -1 and 1, where float32 is fine enough. Only the large angles need more.",
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
        "Doubling takes fewer operations than the formula for large d only.",
        False,
        "At any d: an entry costs half a complex product instead of a sine or a cosine. In small tables the fixed cost "
        "of a few calls hides that.",
    ),
)
