"""Lab 05's guesses: what is true, told after a guess."""

from labkit.notebook.predict import Truth

FACTOR = Truth(
    0.554,
    "times the distance at base 10",
    "A larger base does not push neighbours apart; it brings them closer. From one position to the next only the "
    "fast pairs turn noticeably, and a larger base leaves fewer of them. What it stretches is the far end. Whether "
    "that is worth it depends on how far you have to see.",
)

RETURN = Truth(
    6.05,
    "",
    "At the longest wavelength one hand is back, the slowest. The fifteen others stand elsewhere. So the rows 0 and "
    "54 are three times as far apart as adjacent rows, which are 1.94 apart. The longest wavelength is no length "
    "after which positions collide.",
)
