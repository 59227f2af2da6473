"""The quick questions at the end of lab 02."""

from labkit.notebook.quiz import Statement

QUIZ = (
    Statement(
        "With a diverging colour map the neutral colour stands for 0.",
        False,
        "It stands for the middle of the colour limits. That is 0 only when the limits are symmetric about 0, and left to "
        "itself matplotlib takes them from the data.",
    ),
    Statement(
        "With more rows than pixels, smoothing shows more of the table than leaving rows out.",
        False,
        "It shows values that are in no row. Of a column that swings between -1 and 1 it makes one that seems to hold zeros.",
    ),
    Statement(
        "With the same d, a longer table has at least as many pairs that complete a cycle.",
        True,
        "A wavelength does not depend on T. The longer the table, the more wavelengths fit into it.",
    ),
    Statement(
        "The frequencies are a Fourier basis: each pair makes a whole number of turns in the picture.",
        False,
        "They fall by equal ratios, where those of a Fourier basis rise by equal steps. At T = 64, d = 32 the first pair makes "
        "10.2 turns, the second 5.7.",
    ),
    Statement(
        "A picture with dimensions as rows shows another encoding than one with positions as rows.",
        False,
        "It is the same table, turned. Read the axes first, and where each of them counts from.",
    ),
)
