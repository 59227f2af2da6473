"""What was found, as facts: an id, and the numbers, short texts and lists behind it. No words: these a reader chooses."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import overload

from labkit.model.text import shortened

LONGEST, MOST = 4_000, 100  # characters of a text and items of a list: a student may have made them
SHOWN = 20  # items of a list in a brief finding


@dataclass(frozen=True)
class Finding:
    """Its facts are what JSON holds. A fact that is itself to be said in words is a Finding too."""

    id: str  # of a mistake, what stands after a slash tells apart the words that one exercise has for it
    facts: Mapping[str, object] = field(default_factory=dict)
    named: bool = False  # whether it is a mistake of the catalogue

    def __post_init__(self) -> None:
        object.__setattr__(self, "facts", {name: plain(fact) for name, fact in self.facts.items()})

    @property
    def mistake(self) -> str | None:
        return self.id.partition("/")[0] if self.named else None


def plain(value: object) -> object:
    """A fact as JSON holds it."""
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        value = value.item()  # NumPy's number, as Python's
    match value:
        case None | bool() | int() | Finding():
            return value
        case float():
            return value if math.isfinite(value) else str(value)
        case list() | tuple():
            return [plain(each) for each in value[:MOST]]
    text = str(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


@overload
def brief(fact: Finding, most: int) -> Finding: ...
@overload
def brief(fact: object, most: int) -> object: ...
def brief(fact: object, most: int) -> object:
    """A finding or a fact with every text cut to `most` characters, in a list to a quarter: a student may have made it."""
    match fact:
        case Finding():
            return replace(fact, facts={name: brief(each, most) for name, each in fact.facts.items()})
        case str():
            return shortened(fact, most)
        case list():
            return [brief(each, most // 4) for each in fact[:SHOWN]] + ["…"] * (len(fact) > SHOWN)
    return fact


def to_json(value: object) -> object:
    """A finding, or a list of them or of facts, as plain JSON."""
    if isinstance(value, Finding):
        return {"id": value.id, "named": value.named, "numbers": {name: to_json(v) for name, v in value.facts.items()}}
    return [to_json(each) for each in value] if isinstance(value, (list, tuple)) else value


def from_json(value: object) -> object:
    """The same read back; every dict is a finding. Errors: KeyError, TypeError or AttributeError for anything else."""
    if isinstance(value, dict):
        facts = {name: from_json(fact) for name, fact in value["numbers"].items()}
        return Finding(value["id"], facts, value["named"])
    return [from_json(each) for each in value] if isinstance(value, list) else value
