"""Findings as facts: an id with numbers, short strings and lists. They are put into words only when they are shown."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from labkit.student.model.text import shortened

LONGEST, MOST = 4_000, 100  # characters of a string and items of a list, which may come from a student
SHOWN = 20  # items of a list in a shortened finding


@dataclass(frozen=True)
class Finding:
    """An id with facts that JSON can represent. A fact that must be translated is itself a Finding."""

    id: str  # for a mistake, a part after a slash distinguishes several sentences of one exercise
    facts: Mapping[str, object] = field(default_factory=dict)
    named: bool = False  # whether the finding is a mistake from the catalogue

    def __post_init__(self) -> None:
        object.__setattr__(self, "facts", {name: plain(fact) for name, fact in self.facts.items()})

    @property
    def mistake(self) -> str | None:
        return self.id.partition("/")[0] if self.named else None


def said(text: str) -> Finding:
    """Wrap text from another program or a person as a finding, unchanged."""
    return Finding("said", {"text": text})


def together(*reasons: Finding) -> Finding | None:
    """Combine several reasons into one finding. Returns None if there are no reasons."""
    first, *rest = reasons or [None]
    return Finding("together", {"first": first, "rest": together(*rest)}) if rest else first


def plain(value: object) -> object:
    """Convert a fact to JSON data."""
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        value = value.item()  # from a NumPy number to a Python number
    match value:
        case None | bool() | int() | Finding():
            return value
        case float():
            return value if math.isfinite(value) else str(value)
        case list() | tuple():
            return [plain(each) for each in value[:MOST]]
    text = str(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def brief(fact: Any, most: int) -> Any:
    """Shorten strings, which a student may have written, to `most` characters, and strings in lists to a quarter of that."""
    match fact:
        case Finding():
            return replace(fact, facts={name: brief(each, most) for name, each in fact.facts.items()})
        case str():
            return shortened(fact, most)
        case list():
            return [brief(each, most // 4) for each in fact[:SHOWN]] + ["…"] * (len(fact) > SHOWN)
    return fact


def to_json(value: object) -> object:
    """Convert a finding, or a list of findings or facts, to JSON data."""
    if isinstance(value, Finding):
        return {"id": value.id, "named": value.named, "numbers": {name: to_json(v) for name, v in value.facts.items()}}
    return [to_json(each) for each in value] if isinstance(value, (list, tuple)) else value


def from_json(value: object) -> object:
    """The inverse of `to_json`. Every dict is a finding. Errors: KeyError, TypeError or AttributeError for other data."""
    if isinstance(value, dict):
        facts = {name: from_json(fact) for name, fact in value["numbers"].items()}
        return Finding(value["id"], facts, value["named"])
    return [from_json(each) for each in value] if isinstance(value, list) else value
