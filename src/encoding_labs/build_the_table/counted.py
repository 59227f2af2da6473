"""Check answers with several parts. Feedback says how many parts are right but not which, so that the parts can't be guessed one by one.

For randomly drawn tables, feedback also names the mistakes that were confused, because the next draw has different tables.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation, call_of
from labkit.student.judging.short_answers import digest, items_of, spelled

DECIMALS = 4
NUMBERS = (int, float, np.number, np.ndarray)  # an array with one element counts as a number
IN_FLOAT32 = 1e-7  # float32 rounding: 0.99955 may become 0.99954998

MISTAKES = (  # possible answers of name_the_mistake
    "columns-unwritten",
    "degrees",
    "frequencies-reversed",
    "halves-layout",
    "integer-division",
    "positions-from-one",
    "same-function-twice",
    "swapped-sin-cos",
)


def judge_numbers(observation: Observation) -> Finding | None:
    """Check `by_hand`: numbers to at least four decimals, compared by digest."""
    right, items = observation.expected, items_of(observation.actual)
    if items is None or set(items) != set(right):
        return Finding("numbers", {"total": len(right)})
    count = sum(is_number(observation, item, items[item]) for item in right)
    if count == len(right):
        return None
    if odd := [value for value in items.values() if not isinstance(value, NUMBERS) or value != value]:
        return Finding("no-number", {"seen": repr(odd[0]), "total": len(right)})
    return Finding("right", {"right": count, "total": len(right)})


def is_number(observation: Observation, item: str, value: object) -> bool:
    """Whether a value rounds to the number expected for an item. Strings don't count as numbers."""
    if isinstance(value, (str, bool)):
        return False
    try:
        nearby = (spelled(float(value) + step, DECIMALS) for step in (-IN_FLOAT32, IN_FLOAT32))
        return any(digest("by_hand", item, each) == observation.expected[item] for each in nearby)
    except (TypeError, ValueError, OverflowError):
        return False


def judge_names(observation: Observation) -> Finding | None:
    """Check `name_the_mistake`: a mistake id for each letter, compared by digest."""
    right, items, call = observation.expected, observation.actual, call_of(observation)
    if not isinstance(items, dict) or set(items) != set(right):
        return Finding("letters", {"call": call, "letters": "A, B, …" if not observation.public else [*right]})
    hidden = "" if observation.public else "hidden-"
    odd = [name for name in items.values() if not isinstance(name, str) or name.strip().lower() not in MISTAKES]
    if odd:
        return Finding(f"{hidden}{'no' if odd[0] is None else 'odd'}-name", {"call": call, "given": odd[0]})
    wrong = {letter: name for letter, name in items.items() if not _is(letter, name, right)}
    if not wrong:
        return None
    facts = {"right": len(right) - len(wrong), "total": len(right), "call": call}
    return Finding(f"{hidden}right", facts if observation.public else {**facts, "taken": _taken(wrong, right)})


def _is(letter: str, name: str, right: Mapping[str, str]) -> bool:
    return digest("name_the_mistake", letter, spelled(name)) == right[letter]


def _taken(wrong: Mapping[str, str], right: Mapping[str, str]) -> list[Finding]:
    """List the confused mistakes as pairs (right id, given id), each pair once, in alphabetical order."""
    pairs = {
        (next(each for each in MISTAKES if _is(letter, each, right)), spelled(name)) for letter, name in wrong.items()
    }
    return [Finding("taken", {"mistake": mistake, "given": given}) for mistake, given in sorted(pairs)]
