"""The true-or-false questions at the end of lab 06."""

from labkit.student.notebook.guesses import Statement

QUIZ = (
    Statement(
        "In a transformer without positions, shuffling the tokens only shuffles the outputs.",
        False,
        "True only without a causal mask. With one, a token's output depends on which tokens came before it.",
    ),
    Statement(
        "The sum of embedding and position is as wide as the embedding alone.",
        True,
        "Both are d wide, and so is their sum. Side by side they would be 2d wide.",
    ),
    Statement(
        "With X = E + P, part of every score depends on the two positions alone, whatever the words.",
        True,
        "The part P Pᵀ. For this course's table it depends on their offset alone.",
    ),
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
)
