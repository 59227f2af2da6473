"""Read the files that a download adds: who submitted what, when, and which version counts.

| file | from | what is read |
|---|---|---|
| `submission_metadata.yml` | Gradescope | submitters and times; the rest is long autograder outputs and student text |
| `user_assignment_settings.json` | Submitty | the active version, and the time of each |
| `info.csv` | A+ | the time of each file |
| `timestamp.txt` | nbgrader, Sakai | the time |
| `…_attempt_….txt` | Blackboard | the login |
| `onlinetext.html`, `…_text.html`, `…_submissionText.html` | Moodle, Canvas, Sakai | the text typed in place of a file |
"""

from __future__ import annotations

import csv
import html
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from itertools import islice
from typing import Any

from labkit.grade.intake.files import Refusal, read_file
from labkit.grade.intake.tree import File, Folder
from labkit.student.model.budgets import MIB
from labkit.student.model.text import clean, printable, shortened

METADATA, SETTINGS = "submission_metadata.yml", "user_assignment_settings.json"
INFO, STAMP = "info.csv", "timestamp.txt"
MOST = 64 * MIB  # bytes of a file
TAGS = re.compile(r"<(?:style|script|title)\b[^<>]*>[^<]*|<[^<>]*>", re.IGNORECASE)  # takes linear time
LONGEST_TEXT = 200  # characters of a typed text that are quoted
MOST_LINES = 100_000  # lines that are read
MOST_IN_A_LINE = 1_000  # characters
SUBMISSION = re.compile(r"[\"']?(submission_\d+)[\"']?:\s*$")
FIELD = re.compile(r" {2}:?(\w+):")


@lru_cache(maxsize=8)  # read several times while looking for the class
def submitters(file: File) -> dict[str, list[tuple[str, float | None]]]:
    """Return the submitters of each folder, with times in seconds since 1970; empty if the file has none."""
    import yaml  # slow, and only needed for Gradescope exports

    lines = islice(_relevant_lines(_text_of(file)), MOST_LINES)
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
    """Parse a time such as 2024-01-31 12:30:05.123456789 Z, in UTC unless it has a zone."""
    with suppress(ValueError, OverflowError):
        if isinstance(value, str):
            when = datetime.fromisoformat(re.sub(r"(\.\d{6})\d*|\s+(?=Z|[+-]\d\d:?\d\d$)", r"\1", value.strip()))
            return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
    return None


def versions_in(folder: Folder) -> tuple[str, dict[str, float | None]] | None:
    """The active version in a student's folder from Submitty, and the times of all versions; None without Submitty's settings.

    The active version is "0" if the student cancelled the submission.
    """
    file = next((file for file in folder.files if file.name == SETTINGS), None)
    try:
        data = _plain(json.loads(_text_of(file, MIB)))
    except (ValueError, RecursionError):
        return None
    history = data.get("history")
    told = [_plain(each) for each in history] if isinstance(history, list) else []
    times = {
        str(each.get("version")): _when(_ZONE_NAME.sub("", str(each.get("time")))) for each in reversed(told)
    }  # the first entry is the upload
    return (str(data["active_version"]), times) if "active_version" in data else None


_ZONE_NAME = re.compile(r"(?<=[+-]\d{4}) .*")  # 2024-01-31 12:30:05-0500 America/New_York


@lru_cache(maxsize=8)  # asked for each file of the download
def times_in(file: File | None) -> Mapping[str, float | None]:
    """The time of each file, by its name, in the info.csv of A+."""
    rows = csv.DictReader(_text_of(file).splitlines())
    with suppress(csv.Error):
        return {row["filename"]: _when(row.get("created_at")) for row in rows if row.get("filename")}
    return {}


def stamp_in(folder: Folder) -> float | None:
    """The time in the timestamp.txt of nbgrader, in UTC, or of Sakai, in ISO form or as 20240131123005123."""
    file = next((file for file in folder.files if file.name == STAMP), None)
    text = _text_of(file, 100).strip().removesuffix("UTC").strip()
    return _when(re.sub(r"^(\d{8})(\d{6})(\d{3})$", r"\1T\2.\3", text))


def login_in(found: re.Match[str], beside: Mapping[str, File]) -> str:
    """Extract Blackboard's login, which comes just before "attempt". Blackboard's own text file shows where it begins."""
    head: str = found["head"]
    if file := beside.get(f"{head}_attempt_{found['time']}.txt"):
        login = re.search(r"\(([^()\s]+)\)\s*$", _text_of(file, 65_536).partition("\n")[0])
        if login and head.endswith(f"_{login[1]}"):
            return login[1]
    return head.rpartition("_")[2] or head


def typed_in(file: File) -> str:
    """The text that a student typed in place of a file, in one line; "" if it cannot be read."""
    text = TAGS.sub(" ", _text_of(file, MIB))
    return shortened(printable(" ".join(html.unescape(text).split())), LONGEST_TEXT)


def _text_of(file: File | None, most: int = MOST) -> str:
    """Read a text file that the download added; "" if it is missing or not a regular file."""
    found = read_file(file.path, most) if file and file.path else b""
    return "" if isinstance(found, Refusal) else found.decode("utf-8-sig", "replace")


def _plain(value: object) -> dict[str, Any]:
    """A dict with text keys, without the leading colon that Ruby writes; empty for anything else."""
    return {str(name).removeprefix(":"): each for name, each in value.items()} if isinstance(value, dict) else {}
