"""Short answers, such as four numbers or a choice for each picture. Feedback lists the wrong items.

Right answers are stored as salted digests, so that students' files do not contain them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, cast

from labkit.student.judging.finding import Finding
from labkit.student.judging.observation import Observation


def digest(exercise: str, item: str, answer: str) -> str:
    """Compute the stored digest of an answer to one item of an exercise."""
    return hashlib.sha256(f"{exercise}/{item}/{answer}".encode()).hexdigest()[:20]


def spelled(value: Any, decimals: int | None = None) -> str:
    """Write a short answer in a canonical form: 4, 4.0 and np.int64(4) all give "4", and text is stripped.

    Errors: TypeError, ValueError or OverflowError for anything but a number or text.
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return value.strip().lower()
    number = round(float(value), decimals) if decimals is not None else float(value)
    return str(int(number)) if number == int(number) else repr(number)


def stored(exercise: str, answers: Mapping[str, object], decimals: int | None = None) -> dict[str, str]:
    """Compute the digests of the right answers, by item."""
    return {item: digest(exercise, item, spelled(answer, decimals)) for item, answer in answers.items()}


MOST = 1_000  # items in an answer


def items_of(value: object) -> dict[str, object] | None:
    """The items of a dict by key, or of a list, tuple or array by index. Returns None for other types or too many items."""
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
    """Find the items that are answered correctly. A number may differ by one in the last requested decimal."""
    return {item for item in right if item in items and _matches(name, item, items[item], right[item], decimals)}


def _matches(name: str, item: str, answer: Any, wanted: str, decimals: int | None) -> bool:
    try:
        step = 0 if decimals is None or isinstance(answer, str) else 10.0**-decimals
        nearby = (answer,) if not step else (answer, float(answer) - step, float(answer) + step)
        return any(digest(name, item, spelled(each, decimals)) == wanted for each in nearby)
    except (TypeError, ValueError, OverflowError):
        return False


def judge_items(observation: Observation, decimals: int | None = None) -> Finding | None:
    """Check an exercise with short answers. `observation.expected` has the digest of each item."""
    name, right = observation.exercise.name, cast("Mapping[str, str]", observation.expected)
    items = items_of(observation.actual)
    if items is None or set(items) != set(right):
        return Finding("items-asked", {"name": name, "items": [*right]})
    found = right_items(name, items, right, decimals)
    if len(found) == len(right):
        return None
    missed = [item for item in right if item not in found]
    return Finding("items-right", {"right": len(found), "total": len(right), "items": missed})
