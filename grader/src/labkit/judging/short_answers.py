"""Short answers, such as four numbers or a choice for each picture: which of the items are right, told without the answer.

Right answers are kept as salted digests, so that what students get does not spell them out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, cast

from labkit.judging.finding import Finding
from labkit.judging.observation import Observation


def digest(exercise: str, item: str, answer: str) -> str:
    """The digest under which an answer to one item of an exercise is stored."""
    return hashlib.sha256(f"{exercise}/{item}/{answer}".encode()).hexdigest()[:20]


def spelled(value: Any, decimals: int | None = None) -> str:
    """One spelling for every way to write the same short answer: 4, 4.0 and np.int64(4) are "4"; text is stripped.

    Errors: TypeError, ValueError or OverflowError for what is neither a number nor text.
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return value.strip().lower()
    number = round(float(value), decimals) if decimals is not None else float(value)
    return str(int(number)) if number == int(number) else repr(number)


def stored(exercise: str, answers: Mapping[str, object], decimals: int | None = None) -> dict[str, str]:
    """The digests of right answers, by item."""
    return {item: digest(exercise, item, spelled(answer, decimals)) for item, answer in answers.items()}


MOST = 1_000  # items that an answer may have


def items_of(value: object) -> dict[str, object] | None:
    """The items of an answer: a dict by its keys, a list, tuple or array by its indices; None for anything else or more."""
    if getattr(value, "size", 0) > MOST or isinstance(value, (Mapping, list, tuple)) and len(value) > MOST:
        return None
    if isinstance(value, Mapping):
        return {str(key): item for key, item in value.items()}
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return {str(index): item for index, item in enumerate(value)}
    return None


def right_items(
    name: str, items: Mapping[str, object], right: Mapping[str, str], decimals: int | None = None
) -> set[str]:
    """The items answered rightly. A number may be off by one in the last decimal that is asked for."""
    return {item for item in right if item in items and _matches(name, item, items[item], right[item], decimals)}


def _matches(name: str, item: str, answer: Any, wanted: str, decimals: int | None) -> bool:
    try:
        step = 0 if decimals is None or isinstance(answer, str) else 10.0**-decimals
        nearby = (answer,) if not step else (answer, float(answer) - step, float(answer) + step)
        return any(digest(name, item, spelled(each, decimals)) == wanted for each in nearby)
    except (TypeError, ValueError, OverflowError):
        return False


def judge_items(observation: Observation, decimals: int | None = None) -> Finding | None:
    """The judge of an exercise with short answers; `observation.expected` holds the digest of each item."""
    name, right = observation.exercise.name, cast("Mapping[str, str]", observation.expected)
    items = items_of(observation.actual)
    if items is None or set(items) != set(right):
        return Finding("items-asked", {"name": name, "items": [*right]})
    found = right_items(name, items, right, decimals)
    if len(found) == len(right):
        return None
    missed = [item for item in right if item not in found]
    return Finding("items-right", {"right": len(found), "total": len(right), "items": missed})
