"""Short answers of all labs, right and wrong."""

from mistaken import Sample, Samples

ANSWERS = Samples()
RIGHT = {
    "positions-from-one": "passes",
    "scaled-values": "passes",
    "last-pair-missing": "passes",
    "swapped-sin-cos": "other matrix",
    "halves-layout": "other matrix",
    "wrong-base": "other matrix",
    "same-function-twice": "no matrix",
    "columns-unwritten": "no matrix",
}
ANSWERS.append(Sample("which_mistakes_survive", "a dictionary", RIGHT))
CAPITALS = {key: value.capitalize() for key, value in RIGHT.items()}
ANSWERS.append(Sample("which_mistakes_survive", "capital letters", CAPITALS))
ANSWERS.append(Sample("which_mistakes_survive", "all pass", dict.fromkeys(RIGHT, "passes"), ("unknown",)))
ANSWERS.append(
    Sample("which_mistakes_survive", "halves break it", RIGHT | {"halves-layout": "no matrix"}, ("unknown",))
)
ANSWERS.append(Sample("which_mistakes_survive", "one forgotten", dict(list(RIGHT.items())[:-1]), ("unknown",)))
