"""Formulas for the known mistakes in lab 04, dot-product decay. Each returns the values that a mistake leads to."""

from functools import cache

import numpy as np

from autograder.wrong_tables import WRONG_FREQUENCIES
from labkit.author.source.wrong_formulas import telling

from .reference import exact, frequencies, grid_similarity, landmarks, landmarks_of, offset_only, summed


def dots(pe, anchor):
    return exact(pe) @ exact(pe)[anchor]


def distances(pe, anchor):
    return np.linalg.norm(exact(pe) - exact(pe)[anchor], axis=1)


def cosines(pe, anchor):
    lengths = np.linalg.norm(exact(pe), axis=1)
    return dots(pe, anchor) / (lengths * lengths[anchor])


def spreads(gram, spread=np.ptp):
    return np.array([spread(np.diagonal(gram, offset)) for offset in range(len(gram))])


def all_distances(pe):
    """The distance of every row to every row."""
    return np.stack([distances(pe, anchor) for anchor in range(len(pe))])


def gram_of(pe):
    return exact(pe) @ exact(pe).T


def diagonal_sums(pe, anchor, around=0, divided=True):
    """Sum or average the Gram matrix along the diagonals with offsets p - `around`, p = 0 .. T-1."""
    T, gram = len(pe), gram_of(pe)
    sums = np.array([np.trace(gram, offset=p - around) for p in range(T)]) / (T if divided else 1)
    return telling(sums, last=T - 1, seen=sums[-1], T=T)


def rolled(pe, anchor, add):
    table = exact(pe)
    sums = np.array([add((table * np.roll(table, -offset, axis=0)).sum(axis=1)) for offset in range(len(pe))])
    return telling(sums, last=len(pe) - 1, seen=sums[-1])


def cosines_only(pe, anchor):
    sums = exact(pe)[:, 1::2] @ exact(pe)[anchor, 1::2]
    return telling(sums, seen=sums[anchor])


def sines_only(pe, anchor):
    sums = exact(pe)[:, 0::2] @ exact(pe)[anchor, 0::2]
    return telling(sums, seen=sums[anchor])


def softmax(pe, anchor):
    weights = np.exp(dots(pe, anchor) - dots(pe, anchor).max())
    return weights / weights.sum()


def moved(minimum, crossing):
    """Make a formula that shifts the two landmarks by `minimum` and `crossing` steps."""
    return lambda d: [landmarks(d)[0] + minimum, landmarks(d)[1] + crossing]


def of_rolled(pe, way=-1):
    table = exact(pe)
    return np.array(
        [np.ptp((table * np.roll(table, way * offset, axis=0)).sum(axis=1)) for offset in range(len(table))]
    )


def landmarks_by(law):
    """Make three formulas for landmarks with wrong frequencies. If there is no crossing, they return 0, -1 and None."""

    @cache
    def low_and_crossing(d):
        return landmarks_of(summed(np.arange(10_001), law(d)))

    def otherwise(nowhere):
        return lambda d: [low_and_crossing(d)[0], low_and_crossing(d)[1] or nowhere]

    return [otherwise(nowhere) for nowhere in (0, -1, None)]


def along(offset, d):
    """One axis's contribution to the dot product, if d dimensions encode that axis."""
    return float(summed(offset, frequencies(d)))


# Ways to compare rows with a wrong anchor or fewer columns. An answer may also divide them by something.
UNDIVIDED = {
    "anchor-ignored": lambda pe, anchor: telling(dots(pe, 0), other=0),
    "anchor-from-one": lambda pe, anchor: telling(dots(pe, anchor - 1), other=anchor - 1),
    "cosines-only/and": cosines_only,
    "sines-only": sines_only,
    "absolute/and": lambda pe, anchor: telling(np.abs(dots(pe, anchor))),
}
DIVISORS = (lambda pe: pe.shape[1], lambda pe: pe.shape[1] / 2, lambda pe: np.sqrt(pe.shape[1]), len)


def divided(formula, divisor):
    """Make a formula whose values, and whose fact `seen`, are divided by `divisor(pe)`."""

    def quotient(pe, anchor):
        whole, by = formula(pe, anchor), divisor(pe)
        facts = {name: fact / by if name == "seen" else fact for name, fact in whole.facts.items()}
        return telling(whole.value / by, **facts)

    return quotient


GRID_SIMILARITY = {
    "whole-width": [
        lambda dx, dy, d: along(dx, d) + along(dy, d),
        lambda dx, dy, d: float(summed([dx, dy], frequencies(d)[: d // 4]).sum()),
    ],
    "absolute": [
        lambda dx, dy, d: abs(along(dx, d // 2)) + abs(along(dy, d // 2)),
        lambda dx, dy, d: abs(grid_similarity(dx, dy, d)),
    ],
    "rounded": lambda dx, dy, d: np.round(grid_similarity(dx, dy, d)),
    "d-terms": lambda dx, dy, d: 2 * grid_similarity(dx, dy, d),
    "first-pair-missing": lambda dx, dy, d: float(summed([dx, dy], frequencies(d // 2)[1:]).sum()),
    "last-pair-missing": lambda dx, dy, d: float(summed([dx, dy], frequencies(d // 2)[:-1]).sum()),
    "sines-for-cosines": lambda dx, dy, d: float(summed([dx, dy], frequencies(d // 2), np.sin).sum()),
    **{
        id: lambda dx, dy, d, law=law: float(summed([dx, dy], law(d // 2)).sum())
        for id, law in WRONG_FREQUENCIES.items()
        if id != "exponent-k-over-d"  # gives the frequencies of d dimensions: whole-width
    },
    "straight-line": [
        lambda dx, dy, d: along(np.hypot(dx, dy), d),
        lambda dx, dy, d: 2 * along(np.hypot(dx, dy), d // 2),
        lambda dx, dy, d: along(np.hypot(dx, dy), d // 2),
    ],
    "offsets-added": [
        lambda dx, dy, d: along(dx + dy, d),
        lambda dx, dy, d: along(abs(dx) + abs(dy), d),
        lambda dx, dy, d: along(dx + dy, d // 2),
        lambda dx, dy, d: 2 * along(dx + dy, d // 2),
    ],
    "product": [lambda dx, dy, d: along(dx, d // 2) * along(dy, d // 2), lambda dx, dy, d: along(dx, d) * along(dy, d)],
    "one-axis-alone": [lambda dx, dy, d: along(dx, d // 2), lambda dx, dy, d: along(dy, d // 2)],
    "over-normalised": [
        lambda dx, dy, d: grid_similarity(dx, dy, d) / 2,
        lambda dx, dy, d: grid_similarity(dx, dy, d) / (d // 2),
        lambda dx, dy, d: grid_similarity(dx, dy, d) / d,
    ],
    "two-numbers": lambda dx, dy, d: np.array([along(dx, d // 2), along(dy, d // 2)]),
}

WRONG = {
    "grid_similarity": GRID_SIMILARITY,
    "similarity": {
        "over-normalised": [
            lambda pe, anchor: dots(pe, anchor) / pe.shape[1],
            lambda pe, anchor: dots(pe, anchor) / (pe.shape[1] / 2),
            lambda pe, anchor: dots(pe, anchor) / np.sqrt(pe.shape[1]),
            lambda pe, anchor: dots(pe, anchor) / len(pe),
            lambda pe, anchor: dots(pe, anchor) / dots(pe, anchor)[anchor],
            lambda pe, anchor: dots(pe, anchor) / dots(pe, anchor).max(),
            lambda pe, anchor: dots(pe, anchor) / np.linalg.norm(dots(pe, anchor)),
            cosines,
        ],
        "diagonal-sum": [
            diagonal_sums,
            lambda pe, anchor: diagonal_sums(pe, anchor, around=anchor),
            lambda pe, anchor: diagonal_sums(pe, anchor, divided=False),
            lambda pe, anchor: diagonal_sums(pe, anchor, around=anchor, divided=False),
        ],
        "circular-roll": [
            lambda pe, anchor: rolled(pe, anchor, np.mean),
            lambda pe, anchor: rolled(pe, anchor, np.sum),
            lambda pe, anchor: rolled(pe, anchor, lambda sums: sums.mean() / pe.shape[1]),
            lambda pe, anchor: (lambda sums: telling(sums, last=len(pe) - 1, seen=sums[-1]))(
                np.roll(dots(pe, anchor), -anchor)
            ),
        ],
        **{
            f"{id} over-normalised/and": [divided(formula, divisor) for divisor in DIVISORS]
            for id, formula in UNDIVIDED.items()
        },
        "cosines-only": cosines_only,
        "sines-only": sines_only,
        "wrong-product/axis": [
            lambda pe, anchor: exact(pe).T @ exact(pe),
            lambda pe, anchor: (exact(pe).T @ exact(pe))[:, 0],
            lambda pe, anchor: (exact(pe).T @ exact(pe))[anchor % pe.shape[1]],
            lambda pe, anchor: exact(pe) * exact(pe)[anchor],
            lambda pe, anchor: (exact(pe) * exact(pe)[anchor]).sum(axis=0),
            lambda pe, anchor: (exact(pe) * exact(pe)[anchor]).mean(axis=0),
        ],
        "wrong-product/distance": [
            lambda pe, anchor: telling(distances(pe, anchor), seen=0.0),
            lambda pe, anchor: telling(distances(pe, anchor) ** 2, seen=0.0),
            lambda pe, anchor: telling(-distances(pe, anchor), seen=0.0),
            lambda pe, anchor: telling(-(distances(pe, anchor) ** 2), seen=0.0),
        ],
        "wrong-product/cosine-distance": [
            lambda pe, anchor: 1 - cosines(pe, anchor),
            lambda pe, anchor: 1 - dots(pe, anchor) / (pe.shape[1] / 2),
            lambda pe, anchor: pe.shape[1] / 2 - dots(pe, anchor),
        ],
        "wrong-product/correlation": lambda pe, anchor: (lambda row: telling(row, seen=row[1]))(
            np.corrcoef(exact(pe))[anchor]
        ),
        "anchor-ignored": UNDIVIDED["anchor-ignored"],
        "anchor-from-one": UNDIVIDED["anchor-from-one"],
        "whole-gram": lambda pe, anchor: gram_of(pe),
        "absolute": lambda pe, anchor: np.abs(dots(pe, anchor)),
        "rounded": lambda pe, anchor: np.round(dots(pe, anchor)),
        "softmax": softmax,
    },
    "closed_form": {
        **{id: lambda offsets, d, law=law: summed(offsets, law(d)) for id, law in WRONG_FREQUENCIES.items()},
        "over-normalised": [
            lambda offsets, d: summed(offsets, frequencies(d)) / (d // 2),
            lambda offsets, d: summed(offsets, frequencies(d)) / d,
            lambda offsets, d: summed(offsets, frequencies(d)) / np.sqrt(d),
        ],
        "d-terms": [
            lambda offsets, d: summed(offsets, frequencies(d).repeat(2)),
            lambda offsets, d: summed(offsets, 10000.0 ** (-2.0 * np.arange(d) / d)),
            lambda offsets, d: summed(offsets, 10000.0 ** (-np.arange(d) / d)),
        ],
        "wrong-axis": lambda offsets, d: telling(
            np.cos(np.multiply.outer(offsets, frequencies(d))).sum(axis=0), count=len(offsets)
        ),
        "sines-for-cosines": lambda offsets, d: summed(offsets, frequencies(d), np.sin),
        "absolute": lambda offsets, d: np.abs(summed(offsets, frequencies(d))),
        "rounded": lambda offsets, d: np.round(summed(offsets, frequencies(d))),
        "squared": lambda offsets, d: summed(offsets, frequencies(d), lambda angle: np.cos(angle) ** 2),
        "not-summed": lambda offsets, d: np.cos(np.multiply.outer(offsets, frequencies(d))),
        "angles-summed": lambda offsets, d: np.cos(np.asarray(offsets) * frequencies(d).sum()),
        "product": lambda offsets, d: np.cos(np.multiply.outer(offsets, frequencies(d))).prod(axis=-1),
        "first-pair-missing": lambda offsets, d: summed(offsets, frequencies(d)[1:]),
        "last-pair-missing": lambda offsets, d: summed(offsets, frequencies(d)[:-1]),
    },
    "offset_only": {
        "standard-deviation": lambda pe: offset_only(pe, np.std),
        "variance": lambda pe: offset_only(pe, np.var),
        "largest-alone": lambda pe: offset_only(pe, np.max),
        "mean-alone": lambda pe: offset_only(pe, np.mean),
        "circular-roll": [of_rolled, lambda pe: of_rolled(pe, 1)],
        "other-diagonals": lambda pe: spreads(gram_of(pe)[::-1]),
        "rows-for-diagonals": lambda pe: np.ptp(gram_of(pe), axis=1),
        "main-diagonal-alone": lambda pe: np.full(len(pe), offset_only(pe)[0]),
        "one-number-for-all": [
            lambda pe: offset_only(pe).max(),
            lambda pe: offset_only(pe)[0],
            lambda pe: offset_only(pe).sum(),
            lambda pe: offset_only(pe).mean(),
        ],
        "both-sides": lambda pe: np.concatenate([offset_only(pe)[:0:-1], offset_only(pe)]),
        "wrong-product/axis": lambda pe: spreads(exact(pe).T @ exact(pe)),
        "wrong-product/distance": [lambda pe: spreads(all_distances(pe)), lambda pe: spreads(all_distances(pe) ** 2)],
        "wrong-product/correlation": lambda pe: spreads(np.corrcoef(exact(pe))),
        "absolute": lambda pe: spreads(np.abs(gram_of(pe))),
        "over-normalised": [
            lambda pe: spreads(np.stack([cosines(pe, anchor) for anchor in range(len(pe))])),
            lambda pe: offset_only(pe) / pe.shape[1],
            lambda pe: offset_only(pe) / (pe.shape[1] / 2),
            lambda pe: offset_only(pe) / len(pe),
        ],
        "zeros": lambda pe: np.zeros(len(pe)),
        "from-the-first": lambda pe: offset_only(pe, lambda entries: np.abs(entries - entries[0]).max()),
        "from-the-mean": lambda pe: offset_only(pe, lambda entries: np.abs(entries - entries.mean()).max()),
        "neighbours-compared": lambda pe: offset_only(pe, lambda entries: np.abs(np.diff(entries)).max(initial=0)),
        "offset-0-missing": lambda pe: offset_only(pe)[1:],
        "far-first": lambda pe: offset_only(pe)[::-1],
        "cosines-only": lambda pe: spreads(exact(pe)[:, 1::2] @ exact(pe)[:, 1::2].T),
        "sines-only": lambda pe: spreads(exact(pe)[:, 0::2] @ exact(pe)[:, 0::2].T),
        "rounded": lambda pe: spreads(np.round(gram_of(pe))),
    },
    "landmarks": {
        **{id: landmarks_by(law) for id, law in WRONG_FREQUENCIES.items()},
        "first-pair-missing": landmarks_by(lambda d: frequencies(d)[1:]),
        "last-pair-missing": landmarks_by(lambda d: frequencies(d)[:-1]),
        "index-for-offset": [moved(1, 1), moved(-1, -1), moved(1, -1), moved(-1, 1)],
        "index-for-offset/minimum": [moved(1, 0), moved(-1, 0)],
        "index-for-offset/crossing": [moved(0, 1), moved(0, -1)],
        "sums-for-offsets": lambda d: [float(summed(place, frequencies(d))) for place in landmarks(d)],
    },
}
