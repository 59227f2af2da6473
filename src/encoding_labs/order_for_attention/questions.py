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
        "On paper, if a token's score is low enough, the softmax gives it a weight of exactly 0.",
        False,
        "An exponential is never 0. A low score gives a small weight, and only a mask, a score of minus infinity, gives none. "
        "(In floating point, a tiny weight can be rounded to 0.)",
    ),
)
