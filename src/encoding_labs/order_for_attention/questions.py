"""True or false, at the end of lab 06."""

from labkit.notebook.quiz import Statement

QUIZ = (
    Statement(
        "A transformer that has no positions at all gives shuffled tokens the same outputs, shuffled.",
        False,
        "True only without a causal mask. With one, a token's output depends on which tokens came before it.",
    ),
    Statement(
        "The sum of embedding and position is 2d wide, because it has to keep both.",
        False,
        "It stays d wide: the two are added. Concatenating would make it 2d wide.",
    ),
    Statement(
        "With X = E + P, part of every score depends on the two positions alone, whatever the words.",
        True,
        "The part P Pᵀ. For the table of this course it depends on their offset alone.",
    ),
    Statement(
        "Rotary encoding turns queries, keys and values.",
        False,
        "Queries and keys only. A score compares two turned vectors, and of their places p - q is left. A value is "
        "averaged, not compared: turned, it would carry its place into the output.",
    ),
    Statement(
        "A formula gives a row for every position, so a model trained on short texts works on long ones.",
        False,
        "The row is there. The model has never seen scores made with it, and experiments show that it may do badly.",
    ),
)
