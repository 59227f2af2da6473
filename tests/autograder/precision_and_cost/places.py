"""Test a search for the first bad position with made-up errors, which can be bad at any position we choose.

A search that skips positions between its blocks, or gives up too early, misses one of the positions drawn here. A search that
computes errors itself, without calling float32_error, cannot be tested in this way.
"""

from collections.abc import Iterator

from encoding_labs.precision_and_cost.exercises import numbers_of
from encoding_labs.precision_and_cost.made_up import RANGE
from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation

BELOW = 200_000  # the lab promises that the first bad position is below this
FIRST = range(300, 900)  # early positions, so that a search that computes its own errors also ends soon
SIZES = (
    *(2**power for power in range(8, 17)),
    *(n * 1_000 for n in (1, 2, 3, 4, 5, 6, 8, 10, 20, 25, 30, 40, 50, 60, 80, 100)),
)
ENDS = 2**16, 100_000, 120_000  # every size up to 64,000 divides one of these
DRAWN = range(900, 9_000), range(9_000, 90_000), range(BELOW - 4_000, BELOW)
TIMES = 2e-8  # tolerance divided by position, about the same as for real float32 errors


class Place:
    """A rule that checks one call of a search, with the arguments for that call in `args`."""

    def __init__(self, position: int, d: int, draw):
        factor = 2 * draw.randrange(RANGE // 4, RANGE // 2) + 1
        self.position, self.asked = position, False
        self.args = d, float(f"{position * TIMES:.0e}"), factor, -factor * position % RANGE

    def __call__(self, observation: Observation) -> Finding | None:
        match observation.actual:
            case [seen, True]:
                self.asked = True
                return None if whole(seen) == self.position else Finding("made-up")
        return None


def places(draw) -> Iterator[Place]:
    """Yield places at the starts and ends of blocks, and elsewhere. Each has its own d, because a search may cache errors by d."""
    positions = [*SIZES, *(end - 1 for end in ENDS), *map(draw.choice, DRAWN)]
    draw.shuffle(positions)
    yield Place(draw.choice(FIRST), 42, draw)
    for position, d in zip(positions, draw.sample(range(44, 128, 2), len(positions))):
        yield Place(position, d, draw)


def early_places(draw) -> Iterator[Place]:
    """Yield two places that a search finds soon, the second only after the first."""
    for positions, d in ((FIRST, 42), (DRAWN[0], 40)):
        yield Place(draw.choice(positions), d, draw)


def whole(value: object) -> float | None:
    """Convert a returned value to a whole number. Returns None for anything else."""
    array = numbers_of(value)
    return float(array) if array is not None and array.ndim == 0 and array % 1 == 0 else None
