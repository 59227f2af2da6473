"""The true-or-false questions at the end of lab 02."""

from labkit.student.notebook.guesses import Statement

QUIZ = (
    Statement(
        "With a diverging colour map, the neutral colour means 0.",
        False,
        "It means the middle of the colour limits. That's 0 only if the limits are symmetric about 0, and by default "
        "matplotlib takes them from the data.",
    ),
    Statement(
        "With more rows than pixels, a picture without smoothing can show waves that aren't in the table.",
        True,
        "It leaves rows out, so fast pairs alias: at 4,000 positions pair 0, which turns once in 6.3 positions, seems to turn "
        "once in 43. With smoothing, its columns fade to zero. Neither picture shows how fast it turns.",
    ),
    Statement(
        "For the same d, a longer table has at least as many pairs that complete a turn.",
        True,
        "A wavelength doesn't depend on T. The longer the table, the more wavelengths fit into it.",
    ),
    Statement(
        "The frequencies are a Fourier basis: each pair makes a whole number of turns in the picture.",
        False,
        "They fall by equal ratios, but the frequencies of a Fourier basis rise in equal steps. At T = 64, d = 32 the first "
        "pair makes 10.2 turns, the second 5.7.",
    ),
    Statement(
        "A picture with dimensions as rows shows a different encoding from one with positions as rows.",
        False,
        "It's the same table with its axes swapped. Read the axes first, and find where each one starts counting.",
    ),
)
