"""Formulas for the known mistakes in lab 06, order for attention. Each returns the values that a mistake leads to."""

from itertools import combinations, product

import numpy as np

from autograder.attention import exact, softmax, table
from autograder.wrong_tables import WRONG_TABLES, bfloat16
from encoding_labs.order_for_attention.exercises import PARTS
from labkit.author.source.wrong_formulas import telling, within

from .reference import add_positions, score_parts
from .wrong_weights import ATTENTION


def blend(shares, make=table):
    """Make a formula that adds words and table, each multiplied by a factor. `shares(scale, d)` returns both factors.

    The table is `make(T, d)`.
    """

    def formula(embeddings, scale):
        words, positions = shares(scale, embeddings.shape[1])
        sum = words * embeddings.astype(float) + positions * make(*embeddings.shape)
        return telling(sum, words=words, table=positions)

    return formula


def with_table(make):
    """Make a formula that adds the table `make(T, d)` instead of the right one."""
    return lambda embeddings, scale: scale * embeddings.astype(float) + make(*embeddings.shape)


def row_for_all(row):
    return lambda T, d: table(T, d)[row].reshape(1, d).repeat(T, axis=0)


ROWS_FOR_ALL = [row_for_all(row) for row in (0, 1, -1)]


def side_by_side(axis, join=np.concatenate):
    return [
        lambda embeddings, scale: join([scale * embeddings, table(*embeddings.shape)], axis=axis),
        lambda embeddings, scale: join([table(*embeddings.shape), scale * embeddings], axis=axis),
        lambda embeddings, scale: join([embeddings.astype(float), table(*embeddings.shape)], axis=axis),
    ]


def normalised(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def standardised(rows):
    return (rows - rows.mean(axis=1, keepdims=True)) / rows.std(axis=1, keepdims=True)


SHARES = {
    "scale-forgotten": lambda scale, d: (1, 1),
    "scale-of-its-own": lambda scale, d: (d**0.5, 1),
    "scaled-table": lambda scale, d: (1, scale),
    "scaled-sum": lambda scale, d: (scale, scale),
}
TABLES = {id: WRONG_TABLES[id] for id in ("exponent-k-over-d", "halves-layout", "positions-from-one")}
TABLES |= {"one-row-for-all": ROWS_FOR_ALL}

ADD_POSITIONS = {
    **{id: [with_table(make) for make in tables] for id, tables in WRONG_TABLES.items()},
    **{id: blend(shares) for id, shares in SHARES.items()},
    **{
        f"{one} {other}": [blend(shares, make) for make in tables]
        for one, shares in SHARES.items()
        for other, tables in TABLES.items()
    },
    "scale-squared": blend(lambda scale, d: (scale**2, 1)),
    "scale-rooted": blend(lambda scale, d: (scale**0.5, 1)),
    "scale-divides": blend(lambda scale, d: (1 / scale, 1)),
    "scale-and-root": [blend(lambda scale, d: (scale * d**0.5, 1)), blend(lambda scale, d: (scale / d**0.5, 1))],
    "sum-halved": blend(lambda scale, d: (scale / 2, 1 / 2)),
    "low-precision": [
        within(1e-4, formula)  # closer than usual, because such an answer is nearly right
        for formula in (
            *(lambda embeddings, scale, n=n: np.round(add_positions(embeddings, scale), n) for n in (1, 2, 3)),
            with_table(lambda T, d: bfloat16(table(T, d))),
            lambda embeddings, scale: bfloat16(add_positions(embeddings, scale)),
        )
    ],
    "table-subtracted": blend(lambda scale, d: (scale, -1)),
    "positions-missing": [blend(lambda scale, d: (scale, 0)), blend(lambda scale, d: (1, 0))],
    "words-missing": [blend(lambda scale, d: (0, 1)), blend(lambda scale, d: (0, scale))],
    "concatenated": [*side_by_side(1), *side_by_side(0), *side_by_side(0, np.stack)],
    "multiplied": [
        lambda embeddings, scale: scale * embeddings * table(*embeddings.shape),
        lambda embeddings, scale: embeddings * table(*embeddings.shape),
    ],
    "one-row-for-all": [with_table(make) for make in ROWS_FOR_ALL],
    "normalised": [
        lambda embeddings, scale: normalised(add_positions(embeddings, scale)),
        lambda embeddings, scale: standardised(add_positions(embeddings, scale)),
    ],
}


def of_parts(make):
    """Make two formulas that apply a function to the four parts: divided by sqrt(d), and undivided."""
    return [
        lambda embeddings, pe: make(score_parts(embeddings, pe)),
        lambda embeddings, pe: make(score_parts(embeddings, pe) * np.sqrt(pe.shape[1])),
    ]


def in_order(order):
    wrong = next(place for place in range(4) if order[place] != place)
    return of_parts(lambda parts: telling(parts[list(order)], first=PARTS[order[wrong]], second=PARTS[wrong]))


def exchanged(one, other):
    order = [*range(4)]
    order[one], order[other] = other, one
    return order


def times(factors):
    """Make a formula that multiplies each part by its own factor. `factors(sqrt(d))` returns all four."""

    def formula(embeddings, pe):
        numbers = np.array(factors(np.sqrt(pe.shape[1])))
        odd = int(np.argmax(numbers != numbers[0]))
        return telling(score_parts(embeddings, pe) * numbers[:, None, None], part=PARTS[odd])

    return formula


def merged(*groups):
    """Make formulas that add up the parts in each group. With one group they return a single array."""

    def formula(parts):
        sums = np.stack([parts[list(group)].sum(axis=0) for group in groups])
        return telling(sums if len(groups) > 1 else sums[0], seen=len(groups))

    return of_parts(formula)


def mixed_part_twice(kept, lost):
    order = [kept if place == lost else place for place in range(4)]
    return of_parts(lambda parts: telling(parts[order], part=PARTS[lost], other=PARTS[kept]))


def divided_or_not(formula):
    """Make two variants of a formula: with its result divided by sqrt(d), and undivided."""

    def undivided(embeddings, pe):
        return np.asarray(formula(embeddings.astype(float), exact(pe)))

    return [lambda embeddings, pe: undivided(embeddings, pe) / np.sqrt(pe.shape[1]), undivided]


def products(*rows, product=lambda a, b: a @ b.T):
    return [product(a, b) for a in rows for b in rows]


def each_with_each(product):
    return divided_or_not(lambda words, places: products(words, places, product=product))


def mixed_exchanged(formula):
    """Extend a formula for the four parts: it exchanges content-position and position-content too."""
    return lambda embeddings, pe: telling(
        np.asarray(formula(embeddings, pe))[exchanged(1, 2)], first=PARTS[2], second=PARTS[1]
    )


SCORE_PARTS = {
    "parts-exchanged": [
        formula
        for order in (*(exchanged(*two) for two in combinations(range(4), 2)), (0, 3, 1, 2), (0, 2, 3, 1), (3, 2, 1, 0))
        for formula in in_order(order)
    ],
    "factors-differ": [
        *(
            times(lambda root, powers=powers: root ** np.array(powers, dtype=float))
            for powers in product((0, 1), repeat=4)
            if len({*powers}) > 1
        ),
        *(
            times(lambda root, factors=factors, power=power: np.multiply(factors, root**power))
            for factors in ((1, 2, 2, 1), (1, 0.5, 0.5, 1), (1, 1, -1, 1), (1, -1, 1, 1), (1, -1, -1, 1))
            for power in (0, 1)
        ),
    ],
    "scores-scaled-amiss": [
        *(
            times(lambda root, power=power: [root**power] * 4)
            for power in (-1, 0.5, 2)  # scores divided by d, divided by d**0.25, multiplied by d**0.5
        ),
        *of_parts(lambda parts: parts / 4),
        *of_parts(lambda parts: parts * 2),
        *of_parts(lambda parts: parts / len(parts[0])),
        *of_parts(lambda parts: parts / np.sqrt(len(parts[0]))),
    ],
    "parts-merged": [*merged((0, 1, 2, 3)), *merged((0,), (1, 2), (3,)), *merged((0,), (3,)), *merged((0, 3), (1, 2))],
    "weights-for-scores": of_parts(lambda parts: np.stack([softmax(part) for part in parts])),
    "mixed-part-twice": [*mixed_part_twice(1, 2), *mixed_part_twice(2, 1)],
    "mixed-parts-averaged": of_parts(
        lambda parts: np.stack([parts[0], (parts[1] + parts[2]) / 2, (parts[1] + parts[2]) / 2, parts[3]])
    ),
    "words-know-places": divided_or_not(lambda words, places: products(words + places, places)),
    "whole-four-times": divided_or_not(lambda words, places: products(words + places, words + places)),
    "cosine-scores": each_with_each(lambda a, b: normalised(a) @ normalised(b).T),
    "wrong-product/axis": each_with_each(lambda a, b: a.T @ b),
    "wrong-product/elementwise": each_with_each(lambda a, b: a * b),
    "parts-exchanged/and weights-for-scores": [
        mixed_exchanged(formula) for formula in of_parts(lambda parts: np.stack([softmax(part) for part in parts]))
    ],
    "parts-exchanged/and cosine-scores": [
        mixed_exchanged(formula) for formula in each_with_each(lambda a, b: normalised(a) @ normalised(b).T)
    ],
    "own-scores-alone": of_parts(lambda parts: np.diagonal(parts, axis1=1, axis2=2)),
    "sums-of-parts": [
        *of_parts(lambda parts: parts.sum(axis=(1, 2))),
        *of_parts(lambda parts: parts.mean(axis=(1, 2))),
    ],
    "another-arrangement": [
        *of_parts(lambda parts: parts.reshape(2, 2, *parts[0].shape)),
        *of_parts(lambda parts: np.moveaxis(parts, 0, 2)),
        *of_parts(lambda parts: np.block([[parts[0], parts[1]], [parts[2], parts[3]]])),
    ],
}

WRONG = {
    "attention": ATTENTION,
    "add_positions": ADD_POSITIONS,
    "score_parts": SCORE_PARTS,
}
