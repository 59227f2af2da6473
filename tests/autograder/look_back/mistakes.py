"""Formulas for the known mistakes in lab 08, a head that learns to look back. Each returns the values that a mistake leads to."""

from itertools import combinations, product

import numpy as np

from autograder.attention import exact, frequencies, softmax, table
from autograder.wrong_tables import LAWS
from autograder.wrong_weights import TWICE_WRONG, WITH_WRONG_SCORES, WRONG_WEIGHTS, raised
from labkit.author.source.wrong_formulas import telling

from .reference import blocks, look_back, one_look, read_head, turned
from .wrong_turns import ROPE, SHIFT_LAWS, half_after_half, half_left, halved, reflected, tiled


def scores_back(pe, offset, gain, law=frequencies):
    return gain * turned(exact(pe), -offset * law(pe.shape[1])) @ exact(pe).T


def heads(weigh, law=frequencies, by=lambda T, d, gain: 1, way=1):
    """Make a formula for `look_back` with `weigh`, a wrong function from scores to weights.

    The scores may have the wrong frequencies `law(d)`, a wrong gain `by(T, d, gain)`, or queries turned the other way (-1).
    """

    def formula(pe, offset, gain):
        factor = by(*pe.shape, gain)
        weights = weigh(scores_back(pe, way * offset, gain * factor, law))
        ahead = weights.argmax(axis=1) - np.arange(len(pe))
        row = int(ahead.argmax())
        return telling(weights, sum=weights[0].sum(), factor=factor, row=row, seen=int(weights[row].argmax()))

    return formula


def sharper(by):
    """Make a formula that multiplies the gain by a wrong factor, `by(T, d, gain)`."""
    return lambda pe, offset, gain: telling(
        look_back(pe, offset, gain * by(*pe.shape, gain)), factor=by(*pe.shape, gain)
    )


def with_queries(make):
    """Make a formula that computes the weights with the queries `make(rows, offset)`."""
    return lambda pe, offset, gain: softmax(gain * make(exact(pe), offset) @ exact(pe).T)


def by_angles(law, turn=turned):
    return with_queries(lambda rows, offset: turn(rows, -offset * law(rows.shape[1])[None]))


def peaked(formula, row=lambda T, offset: 0):
    """Extend `formula`: it also gives the feedback message the position of the largest weight in one row."""

    def at_its_peak(pe, offset, gain):
        weights, chosen = formula(pe, offset, gain), row(len(pe), offset)
        return telling(weights, row=chosen, seen=int(weights[chosen].argmax()))

    return at_its_peak


def of_offset(changed):
    return lambda pe, offset, gain: telling(look_back(pe, changed(offset), gain), other=changed(offset))


def moved(pe, offset, gain):
    """Use earlier rows as queries instead of turned ones. With the course's table, only the first `offset` queries are wrong."""
    rows = exact(pe)
    return softmax(gain * rows[np.maximum(np.arange(len(rows)) - offset, 0)] @ rows.T)


def first_rows(make):
    """Make two formulas with weights from `make` in the first `offset` rows. Later rows are those of `look_back` or `moved`."""

    def with_weights(later):
        def formula(pe, offset, gain):
            weights = later(pe, offset, gain)
            weights[:offset] = make(pe, gain)[:offset]
            return weights

        return formula

    return [with_weights(look_back), with_weights(moved)]


def rebuilt(queries, keys):
    """Make a formula that builds a new table, and uses its rows as queries, keys or both instead of the rows it was given."""

    def formula(pe, offset, gain):
        anew, d = table(*pe.shape), pe.shape[1]
        asked, met = (anew if own else exact(pe) for own in (queries, keys))
        return softmax(gain * turned(asked, -offset * frequencies(d)) @ met.T)

    return formula


def largest_misplaced(axis):
    """Subtract the maxima along an axis from the columns. It matters only in `look_back`: in `attention` all maxima are equal."""

    def weigh(scores):
        grown = np.exp(scores - scores.max(axis=axis))
        return grown / grown.sum(axis=1, keepdims=True)

    return weigh


def of_slices(rows, offset, way=np.s_[None, :]):
    """Multiply by a matrix whose values are in every other cell of a row or column, as `matrix[0::2, 0::2] = ...` puts them."""
    angle = -offset * frequencies(rows.shape[1])
    matrix = np.zeros((rows.shape[1],) * 2)
    matrix[0::2, 0::2] = matrix[1::2, 1::2] = np.cos(angle)[way]
    matrix[0::2, 1::2], matrix[1::2, 0::2] = np.sin(angle)[way], -np.sin(angle)[way]
    return rows @ matrix.T


def shift(pe, offset):
    """The matrix R(offset) that shifts rows by the offset, shape (d, d)."""
    return turned(np.eye(pe.shape[1]), offset * frequencies(pe.shape[1])).T


# Wrong scores, as options of `heads`. An answer may have them together with wrong weights, or two of them.
WRONG_SCORES = {
    "over-normalised": {"by": lambda T, d, gain: 1 / np.sqrt(d)},
    "gain-forgotten": {"by": lambda T, d, gain: 1 / gain},
    "looks-forward": {"way": -1},
    "exponent-k-over-d": {"law": LAWS["exponent-k-over-d"][0]},
    "degrees": {"law": LAWS["degrees"][0]},
}
BACKWARDS = "looks-forward/and"  # also for heads whose wrong frequencies do not let them look ahead
# A mask hides the direction, and the softmax of the other axis is the transpose of a right answer.
NOT_TOGETHER = ("looks-forward masked", "looks-forward softmax-axis")


def two_mistakes():
    """Formulas with two mistakes: in scores and weights, or two in the scores. Maps both ids to a list of formulas."""
    found = {id: [heads(way) for way in ways] for id, ways in TWICE_WRONG.items()}
    for id in ("masked", "softmax-axis", "weights-not-normalised/and"):
        ways = WITH_WRONG_SCORES[id]
        found |= {f"{one} {id}": [heads(way, **wrong) for way in ways] for one, wrong in WRONG_SCORES.items()}
    for (one, first), (other, second) in combinations(WRONG_SCORES.items(), 2):
        if not first.keys() & second.keys():
            ids = f"{other} {BACKWARDS}" if one == "looks-forward" else f"{one} {other}"
            found[ids] = [heads(softmax, **first, **second)]
    return {ids: formulas for ids, formulas in found.items() if ids not in NOT_TOGETHER}


LOOK_BACK = {
    **two_mistakes(),
    **{id: [heads(way) for way in ways] for id, ways in WRONG_WEIGHTS.items()},
    **{id: [by_angles(law) for law in laws] for id, laws in SHIFT_LAWS.items()},
    "one-angle": by_angles(lambda d: np.ones(d // 2)),
    "halves-layout": by_angles(frequencies, halved),
    "reflection": by_angles(frequencies, reflected),
    "half-overwritten/even": by_angles(frequencies, half_after_half(0)),
    "half-overwritten/odd": by_angles(frequencies, half_after_half(1)),
    "angles-tiled": by_angles(frequencies, tiled),
    "sines-missing": by_angles(frequencies, lambda rows, angle: rows * np.cos(angle).repeat(2, axis=1)),
    "columns-unwritten": [by_angles(frequencies, half_left(*case)) for case in product((0, 1), (0, 1))],
    "first-pair-alone": by_angles(lambda d: frequencies(d) * (np.arange(d // 2) == 0)),
    "slices-for-cells": [with_queries(of_slices), with_queries(lambda *of: of_slices(*of, np.s_[:, None]))],
    "sums-misplaced": [
        heads(lambda scores: np.exp(scores) / np.exp(scores).sum(axis=1)),
        heads(lambda scores: raised(scores) / raised(scores).sum(axis=1)),
    ],
    "largest-misplaced": [heads(largest_misplaced(axis)) for axis in (0, 1)],
    "transposed": heads(lambda scores: softmax(scores).T),
    "one-hot": [
        heads(lambda scores: np.eye(len(scores))[scores.argmax(axis=1)]),
        lambda pe, offset, gain: np.eye(len(pe), k=-offset),
    ],
    "gain-forgotten": sharper(lambda T, d, gain: 1 / gain),
    "gain-squared": sharper(lambda T, d, gain: gain),
    "gain-divides": sharper(lambda T, d, gain: gain**-2),
    "gain-after-softmax": lambda pe, offset, gain: telling(gain * look_back(pe, offset, 1), sum=gain),
    "over-normalised": [sharper(lambda T, d, gain: 1 / np.sqrt(d)), sharper(lambda T, d, gain: 1 / d)],
    "scaled-by-length": [sharper(lambda T, d, gain: 1 / np.sqrt(T)), sharper(lambda T, d, gain: 1 / T)],
    "looks-forward": peaked(lambda pe, offset, gain: look_back(pe, -offset, gain)),
    "shift-forgotten": peaked(lambda pe, offset, gain: look_back(pe, 0, gain), lambda T, offset: T // 2),
    "turned-twice": peaked(
        lambda pe, offset, gain: look_back(pe, 2 * offset, gain), lambda T, offset: min(2 * offset + 1, T - 1)
    ),
    "another-offset": [
        *(of_offset(lambda offset, always=always: always) for always in (1, 2, 3)),
        of_offset(lambda offset: offset + 1),
        of_offset(lambda offset: offset - 1),
    ],
    "circular-roll": [
        peaked(with_queries(lambda rows, offset: np.roll(rows, offset, axis=0))),
        peaked(lambda pe, offset, gain: np.roll(look_back(pe, 0, gain), -offset, axis=1)),
    ],
    "first-rows": [
        moved,
        *first_rows(lambda pe, gain: look_back(pe, 0, gain)),
        *first_rows(lambda pe, gain: np.zeros((len(pe), len(pe)))),
        *first_rows(lambda pe, gain: np.full((len(pe), len(pe)), 1 / len(pe))),
        *first_rows(lambda pe, gain: np.eye(1, len(pe)).repeat(len(pe), axis=0)),
    ],
    "table-rebuilt": [rebuilt(True, False), rebuilt(True, True), rebuilt(False, True)],
    "values-too": lambda pe, offset, gain: look_back(pe, offset, gain) @ exact(pe),
    "wrong-product": [
        lambda pe, offset, gain: softmax(gain * exact(pe).T @ exact(pe)),
        lambda pe, offset, gain: softmax(gain * exact(pe).T @ exact(pe) @ shift(pe, offset)),
        lambda pe, offset, gain: softmax(gain * shift(pe, -offset)),
        lambda pe, offset, gain: softmax(gain * shift(pe, offset)),
    ],
}


def place_in_row(m, p, T):
    """The position with the largest score in row p, for a text of length T."""
    return int((table(T, len(m))[p] @ m @ table(T, len(m)).T).argmax())


def place_after(m, p, T):
    """How far after position p the largest score in row p is, among the scores from p on."""
    return int((table(T, len(m))[p] @ m @ table(T, len(m))[p:].T).argmax())


def row_less_column(m):
    row, column = np.unravel_index(m.argmax(), m.shape)
    return int(row - column)


def angles(m):
    return np.angle(blocks(np.asarray(m, dtype=float)))


ROWS = (12, 15, 16, 20, 24, 30, 31, 32, 40, 48, 50, 60, 64, 100)

READ_HEAD = {
    "sign-reversed": lambda m: -read_head(m),
    "sign-lost": lambda m: abs(read_head(m)),
    "place-for-offset": [lambda m, row=row: row - read_head(m) for row in ROWS],
    "edge-row": [
        *(lambda m, T=T: -place_in_row(m, 0, T) for T in (32, 64, 100, 128)),
        *(lambda m, p=p: p - place_in_row(m, p, p + 1) for p in (*ROWS, 63, 99, 127)),
        *(lambda m, p=p: -place_after(m, p, 64) for p in ROWS if p < 64),
    ],
    "wrapped": [lambda m, T=T: read_head(m) % T for T in (25, 32, 50, 64, 100, 128)],
    "dimensions-for-places": [
        lambda m: -int(m[0].argmax()),
        lambda m: int(np.argmax(m)),
        lambda m: int(np.abs(m).argmax()),
        row_less_column,
        lambda m: row_less_column(np.abs(m)),
    ],
    "first-pair-alone": [lambda m: round(angles(m)[0]), lambda m: round(-angles(m)[0])],
    "degrees": lambda m: round(np.degrees(angles(m)[0])),
}


def of_examples(product):
    """Make a formula from the rows that are queries and the rows that are their keys."""
    return lambda pe, offset: product(exact(pe)[offset:], exact(pe)[: len(pe) - offset])


def divided_by(count):
    return lambda pe, offset: telling(one_look(pe, offset) / count(len(pe), offset, pe.shape[1]))


def rotations_of(m):
    turn = 2 * blocks(m)
    return np.kron(np.diag(turn.real), np.eye(2)) + np.kron(np.diag(turn.imag), [[0, 1], [-1, 0]])


ONE_LOOK = {
    "looks-forward": of_examples(lambda queries, keys: keys.T @ queries),
    "shift-forgotten": lambda pe, offset: exact(pe).T @ exact(pe),
    "circular-roll": [
        lambda pe, offset: exact(pe).T @ np.roll(exact(pe), offset, axis=0),
        lambda pe, offset: exact(pe).T @ np.roll(exact(pe), -offset, axis=0),
    ],
    "one-example": [
        lambda pe, offset: np.outer(exact(pe)[offset], exact(pe)[0]),
        lambda pe, offset: np.outer(exact(pe)[-1], exact(pe)[len(pe) - 1 - offset]),
    ],
    "example-missing": [
        of_examples(lambda queries, keys: queries[1:].T @ keys[1:]),
        of_examples(lambda queries, keys: queries[:-1].T @ keys[:-1]),
    ],
    "averaged": [
        divided_by(lambda T, offset, d: T - offset),
        divided_by(lambda T, offset, d: T),
        divided_by(lambda T, offset, d: d),
        divided_by(lambda T, offset, d: np.sqrt(d)),
    ],
    "rotations-alone": [
        lambda pe, offset: rotations_of(one_look(pe, offset)),
        lambda pe, offset: rotations_of(one_look(pe, offset)) / 2,
    ],
    "wrong-product/axis": [
        of_examples(lambda queries, keys: queries @ keys.T),
        of_examples(lambda queries, keys: keys @ queries.T),
    ],
    "wrong-product/elementwise": of_examples(lambda queries, keys: queries * keys),
}

WRONG = {"one_look": ONE_LOOK, "look_back": LOOK_BACK, "rope": ROPE, "read_head": READ_HEAD}
