"""What the guesses of lab 04 are held to."""

from labkit.notebook.predict import Truth

SMALLEST = Truth(
    5.31,
    "",
    "The smallest is at offset 48: a third of the top, and far from 0. At offset 63 the sum is back at 8.85. The slow pairs "
    "keep it up: the six slowest of the 16 turn by less than 0.2 radians in 63 positions, so each of them adds more than "
    "0.98 at every offset of the table.",
)

CROSSING = Truth(
    474,
    "positions",
    "The first low is at offset 4 already; the sum first reaches 0 more than a hundred times as far out. The first low is the "
    "work of the fastest pair alone: from offset 4 to 5 its cosine rises by 0.94, while all others together fall by 0.82. To "
    "reach 0 the sum needs the slow pairs too, and their cosines take hundreds of positions to turn negative.",
)

TREND = Truth(
    5600,
    "positions",
    "The curves get to 0 sooner, because they swing about the trend: the wider the swing, the sooner. The more pairs, the "
    "closer to the trend: between the offsets 10 and 1,000, d = 512 stays within 0.055 of it, and d = 32 strays by up to 0.39. "
    "Far out, where all pairs have turned many times, the cosines are as often negative as positive, so the long-run mean of "
    "S is 0. But S doesn't settle there: at d = 32 it keeps swinging about 0, with a root mean square near 0.18 of its top.",
)
