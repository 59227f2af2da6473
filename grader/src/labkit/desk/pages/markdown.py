"""Write feedback for an LMS's comment field: Markdown that reads well as plain text and is harmless as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from labkit.desk.pages.feedback import Feedback, Part, phrase
from labkit.desk.pages.pages import points
from labkit.student.model.text import legible

# Characters of tags, entities and Markdown. A lone < or &, and _ inside a name, are harmless and stay.
ACTIVE = re.compile(r"<(?=[A-Za-z/!?])|&(?=#|[A-Za-z]\w*;)|[\\`*\[\]]|(?<!\w)_|_(?!\w)")
ESCAPES = {"<": "&lt;", "&": "&amp;"}
BLOCK = re.compile(
    r"^([ \t]*(?:\d{1,9}(?=[.)](?:\s|$))|(?=[-+>#=~|])))", re.MULTILINE
)  # the start of a list or heading


def as_markdown(labs: Iterable[Feedback], summary: Iterable[str] = (), below: Iterable[str] = ()) -> str:
    """Write the feedback on each lab, with the `summary` above it and other text `below`."""
    above = [f"{plain(' '.join(line.split()))}\n" for line in summary]
    under = [f"{plain(line)}\n" for line in below]
    return "\n".join([*above, *(line for lab in labs for line in _lab(lab)), *under])


def plain(text: str) -> str:
    """Escape text so that it stays plain text."""
    return BLOCK.sub(r"\1\\", ACTIVE.sub(lambda found: ESCAPES.get(found[0], "\\" + found[0]), legible(text)))


def _lab(lab: Feedback) -> Iterator[str]:
    language = lab.final_score.result.language
    yield f"## {plain(lab.title)}: {lab.score()}"
    yield ""
    for note in lab.notes():
        yield plain(" ".join(note.split())) + "\n"
    for part in lab.parts:
        yield from _part(part, language)


def _part(part: Part, language: str) -> Iterator[str]:
    score = phrase("exercise-points", language, points=float(points(part.points)), of=float(points(part.of)))
    head = f"{score}, {phrase(part.state, language)}" if part.is_scored else phrase(part.state, language)
    checks = phrase("checks", language, passed=part.passed, checks=part.checks)
    reference = phrase("reference", language, reference=part.reference)
    yield f"**{plain(part.title)}**: {head}{f' ({checks})' if part.lost_checks else ''} · {reference}\n"
    for remark in part.remarks:
        yield f"- {plain(remark).lstrip()}"
    for words in part.comments:
        yield f"- {phrase('instructor', language)}: {plain(' '.join(words.split())).lstrip()}"
    for words in part.adjusted:
        yield f"- {plain(' '.join(words.split())).lstrip()}"
    if part.remarks or part.comments or part.adjusted:
        yield ""
    if part.reader_comment:
        yield f"{phrase('reader', language)}: {plain(' '.join(part.reader_comment.split()))}\n"
