"""What the guesses of lab 07 are held to."""

from labkit.notebook.predict import Truth

FIRST_BAD = Truth(
    29_000,
    "positions",
    "The exact place may differ a little from machine to machine. An angle has 24 bits, and past 2**14 rounding alone moves it "
    "by up to 0.00098; the rounding of its frequency does the rest. The fastest pair is exact, and the next one is there first.",
)
STEPS = Truth(17, "steps", "Each step doubles the rows, and 131,072 is 2**17. One step more would do for 262,144.")
