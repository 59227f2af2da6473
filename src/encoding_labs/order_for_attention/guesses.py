"""What the guesses of lab 06 are held to; why is told to whoever has guessed."""

from labkit.notebook.predict import Truth

CHANGED = Truth(
    0,
    "words",
    "Without a mask each output is a weighted mean of the same words, in whatever order they come. Exchange two rows of X, "
    "and the same two rows of the output are exchanged, nothing else: attention reads a bag of words.",
)
LOOKING = Truth(
    0.40,
    "of the weight",
    "The smallest is 0.40, at p = 28 and p = 41; it is 0.57 at most. Neighbours of p - 3 get much of the rest, because their dot "
    "product is nearly as large: S(1) is 15.3 where S(0) is 16.",
)
