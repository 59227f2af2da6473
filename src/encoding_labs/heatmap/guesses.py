"""What the guesses of lab 02 are held to."""

from labkit.notebook.predict import Truth

CYCLES = Truth(
    5,
    "pairs",
    "The first five wavelengths are 6.3, 11.2, 19.9, 35.3 and 62.8 positions; the sixth is 111.7. In a longer text more "
    "pairs complete a turn: 9 of the 16 within 1,000 positions. The last pair needs 35,333 positions.",
)

STRIPES = Truth(
    43,
    "positions",
    "The table has 64 waves in these 400 positions, the picture nine: about one in seven. With 544 lines of pixels for 4,000 "
    "positions, the picture goes from one line to the next in steps of 7.35 positions. In one step the hand of pair 0 makes "
    "1.17 turns, and you see only the 0.17. This is aliasing. Pair 1 makes 0.66 of a turn in one step. Moved forwards by "
    "0.66 or back by 0.34, a hand is in the same place. So pair 1 seems to turn backwards, once in 21.5 positions; in "
    "truth it turns forwards, once in 11.2.",
)

PRACTICE_ROW = Truth(
    2,
    "",
    "The y axis counts from bottom to top, so dimension 5 is the top row and dimension 4 the second.",
)

PRACTICE_TURNS = Truth(
    4,
    "turns",
    "Dimension 1 is the cosine of pair 0. It's reddest near position 0 and at the end of every turn: near 6, 13, 19 and 25. "
    "The fifth turn would end near 31.",
)
