"""Short answers of all labs, right and wrong."""

import numpy as np

from mistaken import Sample, Samples

ANSWERS = Samples()
READING = {"position 0": "left", "pairs": 3, "column 4": 2, "turns": 4, "cosine": "red"}
ANSWERS.append(Sample("read_a_figure", "as asked", READING))
SPELLED = {**READING, "position 0": " Left", "turns": np.int64(4), "pairs": 3.0}
ANSWERS.append(Sample("read_a_figure", "other spelling", SPELLED))
ANSWERS.append(Sample("read_a_figure", "the first lab's orientation", {**READING, "position 0": "top"}, ("unknown",)))
ANSWERS.append(Sample("read_a_figure", "rows counted from below", {**READING, "column 4": 5}, ("unknown",)))
ANSWERS.append(Sample("read_a_figure", "turns rounded up", {**READING, "turns": 5}, ("unknown",)))
ANSWERS.append(Sample("read_a_figure", "one question left out", {"position 0": "left", "pairs": 3}, ("unknown",)))
ANSWERS.append(Sample("read_a_figure", "a list", ["left", 3, 2, 4, "red"], ("unknown",)))

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
