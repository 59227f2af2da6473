"""Where a search has to find the first bad position, by errors made up for it.

A search that leaves out positions where its blocks meet, or that gives up, passes over one of these places. A search that
asks for no errors, because it computes its own, cannot be held to them.
"""

from collections.abc import Iterator

from encoding_labs.precision_and_cost.exercises import numbers_of
from encoding_labs.precision_and_cost.made_up import RANGE
from labkit.judging.finding import Finding
from labkit.judging.observation import Observation

BELOW = 200_000  # the lab promises no bad position from here on
FIRST = range(300, 900)  # its errors are small, so that also a search by errors of its own ends soon
SIZES = (
    *(2**power for power in range(8, 17)),
    *(n * 1_000 for n in (1, 2, 3, 4, 5, 6, 8, 10, 20, 25, 30, 40, 50, 60, 80, 100)),
)
ENDS = 2**16, 100_000, 120_000  # multiples of all these sizes up to 64,000
DRAWN = range(900, 9_000), range(9_000, 90_000), range(BELOW - 4_000, BELOW)
TIMES = 2e-8  # of a position the tolerance: what the lab's own errors are about


class Place:
    """The rule for one search, and the arguments of its call."""

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
    """Just after a block, or its start; the end of a block; anywhere. Each at a d of its own: errors may be kept by d."""
    positions = [*SIZES, *(end - 1 for end in ENDS), *map(draw.choice, DRAWN)]
    draw.shuffle(positions)
    yield Place(draw.choice(FIRST), 42, draw)
    for position, d in zip(positions, draw.sample(range(44, 128, 2), len(positions))):
        yield Place(position, d, draw)


def whole(value: object) -> float | None:
    """The whole number that came back; None for anything else."""
    array = numbers_of(value)
    return float(array) if array is not None and array.ndim == 0 and array % 1 == 0 else None
