"""The true-or-false questions at the end of lab 08."""

from labkit.student.notebook.guesses import Statement

QUIZ = (
    Statement(
        "Rotary encoding turns queries, keys and values.",
        False,
        "Queries and keys only. A score compares two turned vectors, so only the offset between their positions matters. A "
        "turned value would carry its position into the output.",
    ),
    Statement(
        "A formula gives a row for every position, so a model trained on short texts works on long ones.",
        False,
        "The row is there, but M was never trained on it. In the experiment the fraction correct fell to 0.90 at 128 "
        "words, and only the rotations in M carried over.",
    ),
    Statement(
        "If M has only a rotation in each pair's block, the score of two rows of the table depends on their offset alone.",
        True,
        "Turning the key's row gives the row of another position, and the dot product of two rows depends on their offset alone.",
    ),
    Statement(
        "If all queries and all keys are turned by the same rotation, no weight changes.",
        True,
        "A rotation keeps every dot product, so it keeps the scores. Only a turn of one against the other changes where a head looks.",
    ),
)
