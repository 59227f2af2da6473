"""The true-or-false questions at the end of lab 05."""

from labkit.student.notebook.guesses import Statement

QUIZ = (
    Statement(
        "At base 10,000 the longest wavelength is 2π · 10,000 = 62,832 positions.",
        False,
        "It is 35,333 at d = 32 and 60,611 at d = 512. 62,832 is often quoted, but it is only the limit for large d.",
    ),
    Statement(
        "No two positions share an encoding, at any base, in exact arithmetic.",
        True,
        "The first clock alone guarantees it. A turn takes 2π positions, and π is irrational, so no whole number of "
        "positions except 0 is a whole number of turns.",
    ),
    Statement(
        "A larger base moves neighbouring rows closer together.",
        True,
        "Fewer pairs turn noticeably from one position to the next, so neighbours come closer: from 1.94 at base 10 "
        "to 1.08 at base 500,000.",
    ),
    Statement(
        "After the longest wavelength all hands are back where they started.",
        False,
        "Only the slowest is. At base 10 and d = 32, rows 0 and 54 are still 6.05 apart.",
    ),
    Statement(
        "To read a position off a printed row, you need faster hands as well as the slowest.",
        True,
        "With two decimals the slowest gives the position only to within 40 at d = 32. The faster hands give the rest.",
    ),
)
