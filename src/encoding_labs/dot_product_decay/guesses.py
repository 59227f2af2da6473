"""Lab 04's guesses: what is true, told after a guess."""

from labkit.notebook.predict import Truth

SMALLEST = Truth(
    5.31,
    "",
    "The smallest is at offset 48: a third of the top, and far from 0. At offset 63 the sum is back at 8.85. The "
    "reason lies in the slow pairs. The six slowest of the 16 turn by less than 0.2 radians in 63 positions, so each "
    "of them adds more than 0.98 at every offset of the table.",
)

CROSSING = Truth(
    474,
    "positions",
    "The sum is at its first low at offset 4 already, and a hundred times as far out it first reaches 0. The first "
    "low tells of the fastest pair alone: from offset 4 to 5 its cosine rises by 0.94, and all others together fall "
    "by 0.82. A sum of 0 needs the slow pairs as well, and these take hundreds of positions to turn their cosines "
    "negative.",
)
