"""What the guesses of lab 01 are held to."""

from labkit.notebook.predict import Truth

LAST_TURN = Truth(
    35_333,
    "positions",
    "At d = 32 the last pair has k = 15, so its exponent is -30/32 and not -1. The often-quoted 62,832 is only the limit "
    "for large d.",
)
