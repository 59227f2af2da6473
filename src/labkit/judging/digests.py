"""Right answers to short questions, kept as salted digests so that what students get does not spell them out."""

from __future__ import annotations

import hashlib


def digest(exercise: str, item: str, answer: str) -> str:
    """The digest under which an answer to one item of an exercise is stored."""
    return hashlib.sha256(f"{exercise}/{item}/{answer}".encode()).hexdigest()[:20]


def spelled(value: object, decimals: int | None = None) -> str:
    """One spelling for every way to write the same short answer: 4, 4.0 and np.int64(4) are "4"; text is stripped."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return value.strip().lower()
    number = round(float(value), decimals) if decimals is not None else float(value)
    return str(int(number)) if number == int(number) else repr(number)
