"""Write students/NAME.html and NAME.md: a page for each student in their language, and text for an LMS's comment field."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Self

from labkit.desk.pages.feedback import Feedback, Target, drawn, feedback, phrase, summary_of
from labkit.desk.pages.render import environment, page
from labkit.desk.people.desk import Comments
from labkit.desk.people.final_score import FinalScore
from labkit.grade.judge.results import LONGEST_CODE
from labkit.student.judging.words import load
from labkit.student.model.project import Project

PLAIN = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")
DEVICES = re.compile(r"con|prn|aux|nul|com\d|lpt\d")  # names reserved by Windows
SPOKEN = ("en", "es")  # languages in which the page is available
MADE_BY = '<meta name="generator" content="labkit">'  # only pages with this tag are ever removed


def file_of(student: str) -> str:
    """The name of a student's files, without extension. It is unique, and safe on every system.

    A plain name is used as is. Any other name becomes plain letters, a dot (which no plain name has), and a digest of the name.
    """
    if PLAIN.fullmatch(student) and not DEVICES.fullmatch(student):
        return student
    letters = unicodedata.normalize("NFKD", student).encode("ascii", "ignore").decode().lower()
    start = re.sub(r"[^a-z0-9]+", "-", letters).strip("-")[:40]
    return f"{start or 'student'}.{hashlib.sha256(student.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


class StudentPages:
    """Writes a student's files as soon as the next student begins. Final scores must be sorted by student.

    Files are renamed together at the end, so a failed run changes none of them. The context manager removes temporary files.
    """

    what = "the students' pages"

    def __init__(
        self, project: Project, out: Path, comments: Comments = Comments(), target: Target = lambda lab, exercise: ""
    ):
        self.project, self.folder, self.comments = project, out / "students", comments
        self.drawn = partial(drawn, project.course, target)
        load(project.course)
        self.folder.mkdir(exist_ok=True)
        self._own: list[FinalScore] = []
        self._written: set[str] = set()
        self._renewed: list[Path] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        for path in self._renewed:
            _partial(path).unlink(missing_ok=True)

    def add(self, final_score: FinalScore) -> None:
        if self._own and self._own[0].result.student != final_score.result.student:
            self._write()
        self._own.append(final_score)

    def finish(self) -> Path:
        """Write the last student's files, remove pages of students who left the class, and return the folder."""
        if self._own:
            self._write()
        for path in self._renewed:
            os.replace(_partial(path), path)
        for path in self.folder.glob("*.html"):
            if path.stem not in self._written and MADE_BY in path.read_text("utf-8", "replace"):
                path.unlink()
                path.with_suffix(".md").unlink(missing_ok=True)
        return self.folder

    def _write(self) -> None:
        own, self._own = self._own, []
        parts = [feedback(final_score, self.comments, self.drawn) for final_score in own]
        name = own[0].profile.name or own[0].student
        stem = file_of(own[0].result.student)
        self._written.add(stem)
        language = own[-1].result.language if own[-1].result.language in SPOKEN else SPOKEN[0]
        resubmission = self.project.translated(language, "resubmission", self.project.resubmission)
        summary = [*summary_of(parts, language), *filter(None, [resubmission])]
        self._renew(self.folder / f"{stem}.html", "".join(_page(name, parts, summary, language)))
        self._renew(self.folder / f"{stem}.md", as_markdown(parts, summary, language))

    def _renew(self, path: Path, text: str) -> None:
        """Write a file unless it is unchanged. It is not flushed to disk, which would take ten times as long."""
        content = text.encode("utf-8", "backslashreplace")
        if not path.exists() or path.read_bytes() != content:
            self._renewed.append(path)
            _partial(path).write_bytes(content)


def _page(name: str, labs: list[Feedback], summary: list[str], language: str) -> Iterable[str]:
    return page(
        "student",
        language=language,
        spoken=SPOKEN,
        made_by=MADE_BY,
        pictures=True,
        title=phrase("title", language, name=name),
        labs=labs,
        summary=summary,
        longest=LONGEST_CODE,
        phrase=phrase,
    )


def as_markdown(labs: Sequence[Feedback], summary: Sequence[str], language: str) -> str:
    """Write the same feedback for the comment field of an LMS."""
    made = environment().get_template("student.md")
    return made.render(labs=labs, summary=summary, language=language, phrase=phrase).rstrip("\n") + "\n"


def _partial(path: Path) -> Path:
    return path.with_name(f".{path.name}.part")
