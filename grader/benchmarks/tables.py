"""Format paragraphs, numbers and tables in Markdown."""

from __future__ import annotations

import statistics
from collections.abc import Iterable


def paragraphs(*lines: str) -> str:
    return "\n\n".join(lines) + "\n"


def spread(values: list[float], digits: int = 1) -> str:
    """The median, followed by the lowest and highest value if there are several."""
    around = f" ({min(values):.{digits}f} to {max(values):.{digits}f})" if len(values) > 1 else ""
    return f"{statistics.median(values):.{digits}f}{around}"


def table(head: list[str], rows: Iterable[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])
