"""Lab 05, base sweep: right and wrong answers to `wavelengths`."""

import math

import numpy as np

from autograder.samples import Sample, Samples

from . import TURN, right_wavelengths

ANSWERS = Samples()


for style, answer in (
    ("a power of an array", lambda d, base: TURN * base ** (2 * np.arange(d // 2) / d)),
    ("float32", lambda d, base: np.float32(TURN) * np.float32(base) ** (np.arange(0, d, 2, dtype="f4") / np.float32(d))),
    ("exponentials in float32", lambda d, base: np.float32(TURN) * np.exp(np.log(np.float32(base)) * np.arange(0, d, 2, dtype="f4") / np.float32(d))),
    ("geomspace", lambda d, base: np.geomspace(TURN, TURN * base, d // 2 + 1)[:-1]),
    ("exponentials", lambda d, base: TURN * np.exp(np.log(base) * np.linspace(0, 1, d // 2, endpoint=False))),
):  # fmt: skip
    ANSWERS.append(Sample("wavelengths", style, answer))


KEPT = {}


for style, mistake, answer in (
    ("exponent k over d in a loop", "longest-wavelength", lambda d, base: np.array([TURN * base ** (k / d) for k in range(d // 2)])),
    ("up to the base in float32", "longest-wavelength", lambda d, base: np.geomspace(TURN, TURN * base, d // 2, dtype="f4")),
    ("from the slowest pair", "frequencies-reversed", lambda d, base: np.array([TURN * base ** (2 * k / d) for k in reversed(range(d // 2))])),
    ("exponentials of minus the logarithm", "frequencies-given", lambda d, base: np.exp(np.arange(0, d, 2, dtype="f4") * (-math.log(base) / d))),
    ("by the pair of each column", "one-per-column", lambda d, base: np.array([TURN * base ** (2 * (j // 2) / d) for j in range(d)])),
    ("a turn times the frequency", "inverse-power", lambda d, base: TURN * float(base) ** (-2 * np.arange(d // 2) / d)),
    ("2 * 3.1416", "rounded", lambda d, base: 2 * 3.1416 * float(base) ** (np.arange(0, d, 2) / d)),
    ("2 * 3.1416 in float32", "rounded", lambda d, base: np.float32(2 * 3.1416) * np.float32(base) ** (np.arange(0, d, 2, dtype="f4") / np.float32(d))),
    ("a list", "unknown", lambda d, base: right_wavelengths(d, base).tolist()),
    ("kept by d alone", "unseen", lambda d, base: KEPT.setdefault(d, right_wavelengths(d, base))),
    ("a whole base", "unseen", lambda d, base: right_wavelengths(d, int(base))),
):  # fmt: skip
    ANSWERS.append(Sample("wavelengths", style, answer, (mistake,)))

for style, turn in (("6.28", 6.28), ("6.283", 6.283), ("two times 22/7", 2 * 22 / 7)):
    ANSWERS.append(Sample("wavelengths", style, lambda d, base, turn=turn: turn * base ** (2 * np.arange(d // 2) / d), ("rounded",)))  # fmt: skip
for decimals in (1, 2, 4):
    ANSWERS.append(Sample("wavelengths", f"rounded to {decimals} decimals", lambda d, base, decimals=decimals: np.round(right_wavelengths(d, base), decimals), ("rounded",)))  # fmt: skip
ANSWERS.append(
    Sample("wavelengths", "in float16", lambda d, base: right_wavelengths(d, base).astype(np.float16), ("unknown",))
)
