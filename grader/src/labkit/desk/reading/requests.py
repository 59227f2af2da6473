"""Regrade requests: rows of requests.csv in the results folder.

A request names an exercise by its reference; a row can also name it by student, lab and exercise. A request's id is computed
from the exercise and the message, so it stays the same after a regrade, in merged shards, and if the request arrives twice.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labkit.desk.people.readers import Key
from labkit.desk.people.references import reference_of, references_in
from labkit.desk.people.sheets import columns_of, read_sheet
from labkit.student.model.errors import UserError
from labkit.student.model.text import printable, shortened

SHEET = "requests.csv"
LONGEST = 20_000  # characters of a message


@dataclass(frozen=True)
class Request:
    """A student's request about one exercise, or about a whole lab if `exercise` is empty."""

    student: str
    lab: str
    exercise: str
    message: str
    where: str  # "requests.csv, line 3"

    @property
    def key(self) -> Key:
        return self.student, self.lab, self.exercise

    @property
    def id(self) -> str:
        text = "\0".join((*self.key, " ".join(self.message.split())))
        return "r" + hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:15]


@dataclass(frozen=True)
class Requests:
    """All requests without duplicates, and a line for each message that matches no exercise of the class."""

    found: tuple[Request, ...]
    unmatched: tuple[str, ...]


def read(out: Path, known: Sequence[Key]) -> Requests:
    """Read the requests in `out` about the `known` exercises. Errors: UserError if requests.csv lacks a needed column."""
    of: dict[str, list[Key]] = {}
    for key in known:
        of.setdefault(reference_of(*key), []).append(key)
    found: dict[str, Request] = {}
    unmatched: list[str] = []
    for each in _in_sheet(out / SHEET, of, known):
        if isinstance(each, str):
            unmatched.append(each)
        else:
            found.setdefault(each.id, each)
    return Requests(tuple(found.values()), tuple(unmatched))


def _in_sheet(path: Path, of: Mapping[str, Sequence[Key]], known: Sequence[Key]) -> Iterator[Request | str]:
    if not path.exists():
        return
    by_name = {"student", "lab", "exercise"} <= {*columns_of(path)}
    if not by_name and "reference" not in columns_of(path):
        raise UserError(
            f"{path.name}, line 1: the header needs message, and either reference or student, lab and exercise"
        )
    labs = {key[:2] for key in known}
    for where, row in read_sheet(path, ("message",), once=("message", "reference", "student", "lab", "exercise")):
        message = row["message"].strip()[:LONGEST]
        if row.get("reference", "").strip():
            yield from _referring(row["reference"], message, where, of)
            continue
        student, lab, exercise = key = tuple(row.get(name, "").strip() for name in ("student", "lab", "exercise"))
        if key in known or (not key[2] and key[:2] in labs):
            yield Request(student, lab, exercise, message, where)
        else:
            named_exercise = ", ".join(printable(shortened(name, 60)) or "–" for name in key)
            yield f"{where}: no such exercise in the results: {named_exercise}"


def _referring(text: str, message: str, where: str, of: Mapping[str, Sequence[Key]]) -> Iterator[Request | str]:
    """Make a request for each exercise whose reference is in the text."""
    named = references_in(text)
    matched = [reference for reference in named if reference in of]
    for reference in matched:
        if len(of[reference]) == 1:
            yield Request(*of[reference][0], message, where)
        else:
            yield f"{where}: several exercises have the reference {reference}; name the student, lab and exercise in {SHEET} instead"
    if not matched:
        reason = f"no exercise has the reference {named[0]}" if named else "it has no reference"
        yield f"{where}: {reason}"


def exercises_of(rows: Iterable[Mapping[str, Any]]) -> list[Key]:
    """List the student, lab and exercise of every answer in the rows of results.json."""
    return [
        (row["student"], row["lab"], exercise)
        for row in rows
        for exercise in dict.fromkeys(check["exercise"] for check in row["checks"])
    ]
