"""What the guesses of lab 03 are held to; why is told to whoever has guessed."""

from labkit.notebook.predict import Truth

ENTRIES = Truth(
    16,
    "entries",
    "Each new number is made of two old ones, the sine and the cosine of its own pair: 2 entries in each of 8 rows. A matrix "
    "that mixed the pairs could have 64.",
)
SURVIVORS = Truth(
    3,
    "tables",
    "A table passes when every pair still turns by its own angle, in its own direction, from each row to the row 3 further "
    "on. Where the counting starts, how long the hands are, and whether a clock is there at all, the matrix cannot know.",
)
