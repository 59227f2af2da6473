"""Read who submitted what from the file submission_metadata.yml in a Gradescope export.

The file also has long autograder outputs and student text, so only lines with submitters and times are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from itertools import islice
from typing import Any

from labkit.grade.intake.files import Refusal, read_file
from labkit.grade.intake.tree import File
from labkit.student.model.budgets import MIB, Budgets
from labkit.student.model.text import clean

METADATA = "submission_metadata.yml"
MOST = 64 * MIB  # bytes of the file
MOST_LINES = 100_000  # lines that are read
MOST_IN_A_LINE = 1_000  # characters
SUBMISSION = re.compile(r"[\"']?(submission_\d+)[\"']?:\s*$")
FIELD = re.compile(r" {2}:?(\w+):")


@lru_cache(maxsize=8)  # read several times while looking for the class
def submitters(file: File) -> dict[str, list[tuple[str, float | None]]]:
    """Return the submitters of each folder, with times in seconds since 1970; empty if the file has none."""
    import yaml  # slow, and only needed for Gradescope exports

    content = read_file(file.path, Budgets(submission_bytes=MOST)) if file.path else b""
    if isinstance(content, Refusal):
        return {}
    lines = islice(_relevant_lines(content.decode("utf-8", "replace")), MOST_LINES)
    try:
        data = _plain(yaml.load("\n".join(lines), yaml.BaseLoader))  # creates only strings, lists and dicts
    except (yaml.YAMLError, RecursionError):
        return {}
    return {name: list(dict.fromkeys(found)) for name, each in data.items() if (found := list(_people(_plain(each))))}


def _relevant_lines(text: str) -> Iterator[str]:
    """Yield the lines with a submission's name, submitters and time."""
    field = ""
    for line in text.splitlines():
        if found := SUBMISSION.match(line):
            field = ""
            yield f"{found[1]}:"
        elif found := FIELD.match(line):
            field = found[1]
        elif not line.startswith("  "):
            field = ""
        if field in ("submitters", "created_at") and len(line) <= MOST_IN_A_LINE:
            yield line


def _people(submission: dict[str, Any]) -> Iterator[tuple[str, float | None]]:
    people = submission.get("submitters")
    for each in map(_plain, people if isinstance(people, list) else []):
        names = [each[name] for name in ("email", "sid", "name") if isinstance(each.get(name), str)]
        if known := [name.strip() for name in names if name.strip() not in ("", "~", "null")]:
            yield clean(known[0]), _when(submission.get("created_at"))


def _when(value: object) -> float | None:
    """Parse a time such as 2024-01-31 12:30:05.123456789 Z."""
    with suppress(ValueError, OverflowError):
        if isinstance(value, str):
            when = datetime.fromisoformat(re.sub(r"(\.\d{6})\d*|\s+(?=Z|[+-]\d\d:?\d\d$)", r"\1", value.strip()))
            return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    return None


def _plain(value: object) -> dict[str, Any]:
    """A dict with text keys, without the leading colon that Ruby writes; empty for anything else."""
    return {str(name).removeprefix(":"): each for name, each in value.items()} if isinstance(value, dict) else {}
