"""Read the code of a graded class's answers from the cache next to its results."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from labkit.grade.batch.again import NAME


class KeptCode:
    """Reads the code that is stored with each result. Without a cache, it finds none."""

    def __init__(self, out: Path):
        self._cache = out / "cache"
        self._rows: dict[tuple[str, str], Mapping[str, Any]] = {}
        try:
            for row in json.loads((out / NAME).read_text("utf-8"))["rows"]:
                self._rows[row["student"], row["lab"]] = row
        except (OSError, ValueError, KeyError, TypeError):
            self._rows = {}

    def of(self, student: str, lab: str) -> dict[str, str]:
        """The source of each code answer, by exercise."""
        row = self._rows.get((student, lab), {})
        try:
            stored = row["result"] if "result" in row else json.loads(self._path(row["key"]).read_text("utf-8"))
            return {str(exercise): str(source) for exercise, source in stored["code"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {}

    def _path(self, key: str) -> Path:
        return self._cache / f"{Path(key).name}.json"
