"""What goes into the calls of lab 07: positions, rows of turning pairs, and timings whose law is known."""

from dataclasses import dataclass, field

import numpy as np

from labkit.model.course import SymbolicArgument


@dataclass(frozen=True)
class Positions(SymbolicArgument):
    """Stands for an array of these positions, whole numbers of 64 bits."""

    each: tuple[int, ...]

    def build(self):
        return np.array(self.each, dtype=np.int64)

    def __str__(self) -> str:
        return f"np.array({list(self.each)})"


@dataclass(frozen=True)
class Frequencies(SymbolicArgument):
    """Stands for m frequencies in radians per position: first * base**(-k/m) for pair k."""

    m: int
    first: float
    base: float

    def build(self):
        return self.first * self.base ** (-np.arange(self.m) / self.m)

    def __str__(self) -> str:
        return f"omega[:{self.m}]"


@dataclass(frozen=True)
class Turning(SymbolicArgument):
    """Stands for n rows of pairs that turn with these frequencies, of shape (n, 2m), float32.

    The first row is drawn: each pair has a length from 0.3 to 0.95 and any angle, so no formula of the position gives it.
    """

    n: int
    omega: Frequencies
    seed: int

    def build(self):
        random, m = np.random.default_rng(self.seed), self.omega.m
        length, start = random.uniform(0.3, 0.95, m), random.uniform(0, 2 * np.pi, m)
        angle = start + np.arange(self.n)[:, None] * self.omega.build()
        pairs = np.stack([length * np.sin(angle), length * np.cos(angle)], axis=-1)
        return pairs.reshape(self.n, 2 * m).astype(np.float32)

    def __str__(self) -> str:
        return f"rows[:{self.n}]"


def turning(n: int, m: int, first: float, base: float, seed: int) -> tuple[Turning, Frequencies]:
    """The two arguments of `double`."""
    omega = Frequencies(m, first, base)
    return Turning(n, omega, seed), omega


# Few columns are timed at large T alone: one line for T and one for d, each without the other size, both come out wrong.
UNEVEN = [(T, d) for T in (500, 1_000, 4_000, 16_000) for d in (32, 64, 128, 256) if T > 1_000 or d > 64]


@dataclass(frozen=True)
class Timings(SymbolicArgument):
    """Stands for rows of T, d and seconds, as a measurement gives them, whose exponents are known.

    seconds = 1e-9 * T**in_T * d**in_d, within half a percent, at twelve sizes or more. Several rounds visit every size; in
    the first each call is cold, and takes as long again as three calls at the largest size.
    """

    in_T: float
    in_d: float
    seed: int
    times: int = field(default=1, repr=False)  # as large as the lab's own sizes
    further: int = field(default=0, repr=False)  # T that are timed as well, beyond the lab's own
    rounds: int = field(default=5, repr=False)

    def build(self):
        random = np.random.default_rng(self.seed)
        more = [(16_000 * 2**step, d) for step in range(1, self.further + 1) for d in (32, 64, 128, 256)]
        sizes = self.times * np.array(UNEVEN + more, dtype=float)
        cold = 3e-9 * (sizes[:, 0] ** self.in_T * sizes[:, 1] ** self.in_d).max()
        rounds = []
        for number in range(self.rounds):
            T, d = random.permutation(sizes).T
            warm = 1e-9 * T**self.in_T * d**self.in_d * random.uniform(0.995, 1.005, len(sizes))
            rounds.append(np.column_stack([T, d, warm + (cold if number == 0 else 0)]))
        return np.concatenate(rounds)

    def __str__(self) -> str:
        return "rows"
