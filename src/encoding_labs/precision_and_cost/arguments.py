"""What goes into the calls of lab 07: positions, and rows of timings whose law is known."""

from dataclasses import dataclass

import numpy as np

from labkit.course import StandIn


@dataclass(frozen=True)
class Positions(StandIn):
    """Stands for an array of these positions, whole numbers of 64 bits."""

    each: tuple[int, ...]

    def build(self):
        return np.array(self.each, dtype=np.int64)

    def __str__(self) -> str:
        return f"np.array({list(self.each)})"


# Few columns are timed at large T alone: one line for T and one for d, each without the other size, both come out wrong.
UNEVEN = [(T, d) for T in (500, 1_000, 4_000, 16_000) for d in (32, 64, 128, 256) if T > 1_000 or d > 64]


@dataclass(frozen=True)
class Timings(StandIn):
    """Stands for rows of T, d and seconds, as a measurement gives them, whose exponents are known.

    seconds = 1e-9 * T**in_T * d**in_d, within half a percent, at twelve sizes. Five rounds visit every size; in the first
    each call is cold, and takes as long again as three calls at the largest size.
    """

    in_T: float
    in_d: float
    seed: int

    def build(self):
        random = np.random.default_rng(self.seed)
        sizes = np.array(UNEVEN, dtype=float)
        cold = 3e-9 * 16_000.0**self.in_T * 256.0**self.in_d
        rounds = []
        for number in range(5):
            T, d = random.permutation(sizes).T
            warm = 1e-9 * T**self.in_T * d**self.in_d * random.uniform(0.995, 1.005, len(sizes))
            rounds.append(np.column_stack([T, d, warm + (cold if number == 0 else 0)]))
        return np.concatenate(rounds)

    def __str__(self) -> str:
        return "rows"
