"""Regrade requests: rows of requests.csv, and emails or text files in the folder requests/, both in the results folder.

A request names an exercise by its reference; a row can also name it by student, lab and exercise. A request's id is computed
from the exercise and the message, so it stays the same after a regrade, in merged shards, and if the request arrives twice.
"""

from __future__ import annotations

import email
import email.policy
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from labkit.desk.readers import Key
from labkit.desk.references import reference_of, references_in
from labkit.desk.sheets import DeskProblem, columns_of, read_sheet
from labkit.model.text import printable, shortened

SHEET, FOLDER = "requests.csv", "requests"
LARGEST = 10_000_000  # bytes of an email that are read
LONGEST = 20_000  # characters of a message
TEXTS = (".eml", ".txt")


@dataclass(frozen=True)
class Request:
    """A student's request about one exercise, or about a whole lab if `exercise` is empty."""

    student: str
    lab: str
    exercise: str
    message: str
    where: str  # "requests.csv, line 3", or a file name
    sender: str = ""  # of the email

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
    """Read the requests in `out` about the `known` exercises. Errors: DeskProblem if requests.csv lacks a needed column."""
    of: dict[str, list[Key]] = {}
    for key in known:
        of.setdefault(reference_of(*key), []).append(key)
    found: dict[str, Request] = {}
    unmatched: list[str] = []
    for each in (*_in_sheet(out / SHEET, of, known), *_in_folder(out / FOLDER, of)):
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
        raise DeskProblem(
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


def _in_folder(folder: Path, of: Mapping[str, Sequence[Key]]) -> Iterator[Request | str]:
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        where = f"{FOLDER}/{printable(path.name)}"
        if path.suffix.lower() not in TEXTS or path.name.startswith(".") or not path.is_file():
            continue
        try:
            with path.open("rb") as file:
                content = file.read(LARGEST)
            sender, text = _mail(content) if path.suffix.lower() == ".eml" else ("", content.decode("utf-8", "replace"))
        except Exception as error:  # the mail parser raises many types of errors
            yield f"{where}: cannot be read ({type(error).__name__})"
            continue
        yield from _referring(text, text.strip()[:LONGEST], where, of, sender)


def _referring(
    text: str, message: str, where: str, of: Mapping[str, Sequence[Key]], sender: str = ""
) -> Iterator[Request | str]:
    """Make a request for each exercise whose reference is in the text."""
    named = references_in(text)
    matched = [reference for reference in named if reference in of]
    for reference in matched:
        if len(of[reference]) == 1:
            yield Request(*of[reference][0], message, where, sender)
        else:
            yield f"{where}: several exercises have the reference {reference}; name the student, lab and exercise in {SHEET} instead"
    if not matched:
        reason = f"no exercise has the reference {named[0]}" if named else "it has no reference"
        yield f"{where}: {reason}"


def _mail(content: bytes) -> tuple[str, str]:
    """Read an email's sender, subject and text."""
    message = email.message_from_bytes(content, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    body = message.get_body(("plain", "html"))
    text = str(body.get_content()) if body else ""
    if body and body.get_content_type() == "text/html":
        text = _text_of(text)
    subject = str(message["subject"] or "")
    return str(message["from"] or ""), "\n\n".join(filter(None, [subject.strip(), text.strip()]))


class _Text(HTMLParser):
    """Extracts the text of an HTML email, without scripts and styles."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self._aside = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in ("script", "style"):
            self._aside = tag
        elif tag in ("p", "br", "div", "li", "tr", "blockquote"):
            self.pieces.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag == self._aside:
            self._aside = ""

    def handle_data(self, data: str) -> None:
        if not self._aside:
            self.pieces.append(data)


def _text_of(html: str) -> str:
    parser = _Text()
    parser.feed(html)
    parser.close()
    return re.sub(r"\n\s*\n\s*", "\n\n", "".join(parser.pieces)).strip()


def exercises_of(rows: Iterable[Mapping[str, Any]]) -> list[Key]:
    """List the student, lab and exercise of every answer in the rows of results.json."""
    return [
        (row["student"], row["lab"], exercise)
        for row in rows
        for exercise in dict.fromkeys(check["exercise"] for check in row["checks"])
    ]
