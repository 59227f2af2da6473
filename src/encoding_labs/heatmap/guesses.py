"""What the guesses of lab 02 are held to."""

from labkit.notebook.predict import Truth

CYCLES = Truth(
    5,
    "pairs",
    "The first five wavelengths are 6.3, 11.2, 19.9, 35.3 and 62.8 positions; the sixth is 111.7. Longer texts set more "
    "pairs going: 9 of the 16 within 1,000 positions. The last pair needs 35,333 for one turn.",
)
