"""Lab 01, build the table: right and wrong answers to `by_hand`."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np

from autograder.samples import Sample, Samples

ANSWERS = Samples()
ROW = [math.sin(3), math.cos(3), math.sin(0.03), math.cos(0.03)]

for mistake, style, value in (
    ("", "four decimals", [0.1411, -0.9900, 0.0300, 0.9996]),
    ("", "a tuple", (0.1411, -0.99, 0.03, 0.9996)),
    ("", "an array in float32", np.array(ROW, dtype=np.float32)),
    ("", "all digits", ROW),
    ("", "five decimals", [0.14112, -0.98999, 0.03, 0.99955]),
    ("", "five decimals in float32", np.array([0.14112, -0.98999, 0.03, 0.99955], dtype=np.float32)),
    ("", "rounded by NumPy", np.round(ROW, 4)),
    ("", "arrays of one number", [np.array(x) for x in ROW]),
    ("", "by angle and function", [f(3 * w) for w in (1, 0.01) for f in (np.sin, np.cos)]),
    ("", "numbers of NumPy", [np.float64(0.1411), np.float32(-0.99), np.float64(0.03), np.float32(0.9996)]),
    ("low-precision", "one of them cut off", [0.1411, -0.9900, 0.0300, 0.9995]),
    ("unknown", "the angles doubled", [-0.2794, 0.9602, 0.0600, 0.9982]),
    ("degrees", "in degrees", [0.0523, 0.9986, 0.0005, 1.0]),
    ("swapped-sin-cos", "sine and cosine swapped", [-0.9900, 0.1411, 0.9996, 0.0300]),
    ("halves-layout", "the sines, then the cosines", [0.1411, 0.0300, -0.9900, 0.9996]),
    ("positions-from-one", "the third position", [0.9093, -0.4161, 0.0200, 0.9998]),
    ("unknown", "the second hand ten times too fast", [0.1411, -0.99, 0.2955, 0.9553]),
    ("sign-lost", "the sign lost", [0.1411, 0.9900, 0.0300, 0.9996]),
    ("unknown", "the exponent of another d", [*ROW[:2], math.sin(0.6), math.cos(0.6)]),
    ("unknown", "three numbers", ROW[:3]),
    ("unknown", "a sentence", "0.1411 -0.99 0.03 0.9996"),
    ("unknown", "one text among numbers", [0.1411, "-0.99", 0.03, 0.9996]),
    ("unknown", "texts", ["0.1411", "-0.9900", "0.0300", "0.9996"]),
    ("unknown", "a decimal comma", [(0, 1411), (0, 9900), (0, 300), (0, 9996)]),
    ("unknown", "not numbers", [None, None, None, None]),
    ("unknown", "not finite", [math.nan, math.inf, -math.inf, 1]),
    ("unknown", "a column", [[x] for x in ROW]),
    ("unknown", "decimals of another kind", [Decimal("0.1411"), Fraction(-99, 100), 0.03, 0.9996]),
):
    ANSWERS.append(Sample("by_hand", style, value, (mistake,) if mistake else ()))
