"""Short answers of all labs, right and wrong."""

import math

import numpy as np

from mistaken import Sample, Samples

ANSWERS = Samples()
ROW = [math.sin(3), math.cos(3), math.sin(0.03), math.cos(0.03)]
NAMES = {"A": "frequencies-reversed", "B": "halves-layout", "C": "degrees", "D": "columns-unwritten"}

for style, value in {
    "four decimals": [0.1411, -0.9900, 0.0300, 0.9996],
    "a tuple": (0.1411, -0.99, 0.03, 0.9996),
    "an array in float32": np.array(ROW, dtype=np.float32),
    "all digits": ROW,
    "the last decimal cut off": [0.1411, -0.9899, 0.0299, 0.9995],
}.items():
    ANSWERS.append(Sample("by_hand", style, value))

for style, value in {
    "sine and cosine swapped": [-0.9900, 0.1411, 0.9996, 0.0300],
    "the sign lost": [0.1411, 0.9900, 0.0300, 0.9996],
    "position 4": [math.sin(4), math.cos(4), math.sin(0.04), math.cos(0.04)],
    "three numbers": ROW[:3],
    "a sentence": "0.1411 -0.99 0.03 0.9996",
    "not numbers": [None, None, None, None],
    "not finite": [math.nan, math.inf, -math.inf, 1],
    "a column": [[x] for x in ROW],
}.items():
    ANSWERS.append(Sample("by_hand", style, value, ("unknown",)))

IN_DEGREES = [math.sin(math.radians(3)), math.cos(math.radians(3)), math.sin(math.radians(0.03)), 1.0]
ANSWERS.append(Sample("by_hand", "in degrees", IN_DEGREES, ("degrees",)))
ANSWERS.append(Sample("name_the_mistake", "a dict", NAMES))
ANSWERS.append(
    Sample("name_the_mistake", "capitals and spaces", {key: f" {name.upper()} " for key, name in NAMES.items()})
)
ANSWERS.append(
    Sample("name_the_mistake", "two changed places", {**NAMES, "A": NAMES["B"], "B": NAMES["A"]}, ("unknown",))
)
ANSWERS.append(Sample("name_the_mistake", "one is missing", {key: NAMES[key] for key in "ABC"}, ("unknown",)))
ANSWERS.append(Sample("name_the_mistake", "one too many", {**NAMES, "E": "degrees"}, ("unknown",)))
ANSWERS.append(Sample("name_the_mistake", "a list", list(NAMES.values()), ("unknown",)))
ANSWERS.append(Sample("name_the_mistake", "all the same", dict.fromkeys(NAMES, "degrees"), ("unknown",)))

READING = {"position 0": "left", "pairs": 3, "column 4": 2, "turns": 4, "cosine": "red"}
ANSWERS.append(Sample("read_a_figure", "as asked", READING))
SPELLED = {**READING, "position 0": " Left", "turns": np.int64(4), "pairs": 3.0}
ANSWERS.append(Sample("read_a_figure", "other spelling", SPELLED))
ANSWERS.append(Sample("read_a_figure", "the first lab's orientation", {**READING, "position 0": "top"}, ("unknown",)))
ANSWERS.append(Sample("read_a_figure", "rows counted from below", {**READING, "column 4": 5}, ("unknown",)))
ANSWERS.append(Sample("read_a_figure", "turns rounded up", {**READING, "turns": 5}, ("unknown",)))
ANSWERS.append(Sample("read_a_figure", "one question left out", {"position 0": "left", "pairs": 3}, ("unknown",)))
ANSWERS.append(Sample("read_a_figure", "a list", ["left", 3, 2, 4, "red"], ("unknown",)))
