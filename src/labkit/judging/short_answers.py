"""Short answers, such as four numbers or a choice for each picture: which of the items are right, told without the answer."""

from __future__ import annotations

from collections.abc import Mapping

from labkit.judging.digests import digest, spelled
from labkit.judging.observation import Finding, Observation

TEXTS = {
    "en": {
        "form": "{name} needs one answer for each of: {items}.",
        "some": "{right} of {total} are right; look again at: {items}.",
    },
    "es": {
        "form": "{name} necesita una respuesta para cada uno de: {items}.",
        "some": "{right} de {total} son correctas; revisa: {items}.",
    },
}


def stored(exercise: str, answers: Mapping[str, object], decimals: int | None = None) -> dict[str, str]:
    """The digests of right answers, by item."""
    return {item: digest(exercise, item, spelled(answer, decimals)) for item, answer in answers.items()}


def items_of(value: object) -> dict[str, object] | None:
    """The items of an answer: a dict by its keys, a list, tuple or array by its indices; None for anything else."""
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


def _matches(name: str, item: str, answer: object, wanted: str, decimals: int | None) -> bool:
    try:
        step = 0 if decimals is None or isinstance(answer, str) else 10.0**-decimals
        nearby = (answer,) if not step else (answer, float(answer) - step, float(answer) + step)
        return any(digest(name, item, spelled(each, decimals)) == wanted for each in nearby)
    except (TypeError, ValueError, OverflowError):
        return False


def judge_items(observation: Observation, language: str = "en", decimals: int | None = None) -> Finding | None:
    """The judge of an exercise with short answers; `observation.expected` holds the digest of each item."""
    texts, name, right = TEXTS[language], observation.exercise.name, observation.expected
    items = items_of(observation.actual)
    if items is None or set(items) != set(right):
        return Finding(texts["form"].format(name=name, items=", ".join(right)))
    found = right_items(name, items, right, decimals)
    if len(found) == len(right):
        return None
    missed = ", ".join(item for item in right if item not in found)
    return Finding(texts["some"].format(right=len(found), total=len(right), items=missed))
