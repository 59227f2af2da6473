"""Lab 06's guesses: the true values and the reasons."""

from labkit.student.notebook.guesses import Truth

CHANGED = Truth(
    5,
    "words",
    'All but the first: it sees only itself in both sentences. Every other word sees "cat" where it saw "mat", or is one '
    "of them. Without a mask the answer is 0: each output is an average of the same rows. Exchange two rows of X, and the "
    "same two rows of the output are exchanged.",
)
