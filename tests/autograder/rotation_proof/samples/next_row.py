"""Lab 03, rotation proof: right and wrong answers to `next_row`."""

import numpy as np
import sympy

from autograder.samples import Sample, Samples

ANSWERS = Samples()


def woven(sines, cosines):
    return np.stack([sines, cosines], axis=-1).ravel()


@ANSWERS.sample("next_row")
def twice_the_cosine_of_the_turn(before, here):
    """x(p + 2) = 2 cos(ω) x(p + 1) - x(p), sines and cosines alike."""
    turn = (before * here).reshape(-1, 2).sum(axis=1)
    return 2 * np.repeat(turn, 2) * here - before


@ANSWERS.sample("next_row")
def angles_added(before, here):
    was, now = (np.arctan2(row[0::2], row[1::2]) for row in (before, here))
    return woven(np.sin(2 * now - was), np.cos(2 * now - was))


@ANSWERS.sample("next_row")
def complex_hands_from_sine_to_cosine(before, here):
    was, now = before[0::2] + 1j * before[1::2], here[0::2] + 1j * here[1::2]
    then = now**2 * np.conj(was)
    return woven(then.real, then.imag).astype(np.float32)


def without_signs(before, here):
    """Correct only for hands that make less than half a turn between the two rows."""
    was, now = (np.arctan2(row[0::2], row[1::2]) for row in (before, here))
    turn = np.abs(now - was)
    return woven(np.sin(now + turn), np.cos(now + turn))


def by_hands(before, here, combine):
    was, now = before[1::2] + 1j * before[0::2], here[1::2] + 1j * here[0::2]
    then = combine(was, now)
    return woven(then.imag, then.real)


def without_half_turns(before, here):
    was, now = (np.arctan2(row[0::2], row[1::2]) for row in (before, here))
    return woven(np.sin(now + (now - was) % np.pi), np.cos(now + (now - was) % np.pi))


def cosines_of_a_copy(before, here):
    row = here.copy()
    row[0::2] = angles_added(before, here)[0::2]
    return row


def with_arcsines(before, here):
    row = []
    for s, t in zip(before[0::2], here[0::2]):
        angle = 2 * np.arcsin(t) - np.arcsin(s)
        row += [np.sin(angle), np.cos(angle)]
    return np.array(row)


def as_in_the_course(before, here):
    angle = np.arctan2(here[0::2], here[1::2]) + 10000.0 ** (-np.arange(0, len(here), 2) / len(here))
    return woven(np.sin(angle), np.cos(angle))


for style, mistake, answer in (
    ("as in the course's table", "wrong-frequencies", as_in_the_course),
    ("fitted to one row", "fitted-rotation", lambda was, now: now @ np.linalg.lstsq(was[None], now[None], rcond=None)[0]),
    ("arcsines in a loop", "one-function-alone", with_arcsines),
    ("the sign of the turn lost", "unknown", without_signs),
    ("the turn without its whole half turns", "half-turn-lost", without_half_turns),
    ("divided the wrong way round", "rotation-transposed", lambda before, here: by_hands(before, here, lambda was, now: was * was / now)),
    ("the second hand squared", "division-forgotten", lambda before, here: by_hands(before, here, lambda was, now: now * now)),
    ("cosines of a copy", "half-unwritten", cosines_of_a_copy),
    ("with sines of SymPy", "symbols-for-numbers", lambda before, here: woven(sympy.sin(here[0::2]), sympy.cos(here[0::2]))),
    ("a list", "unknown", lambda before, here: angles_added(before, here).tolist()),
    ("the sum of both", "unknown", lambda before, here: before + here),
):  # fmt: skip
    ANSWERS.append(Sample("next_row", style, answer, (mistake,)))
