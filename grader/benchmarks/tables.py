"""Format paragraphs and tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable


def paragraphs(*lines: str) -> str:
    return "\n\n".join(lines) + "\n"


def table(head: list[str], rows: Iterable[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])
