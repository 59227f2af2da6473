"""Save files of lab 01 of the tiny course as a class submitted them, and find the submissions that count."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from handouts import Handout

from labkit.desk.people.desk import Desk
from labkit.desk.people.late import Policy
from labkit.desk.people.roster import Roster
from labkit.desk.people.roster_file import read_roster
from labkit.grade.intake.archives import extraction_directory
from labkit.grade.intake.choose import choose
from labkit.grade.intake.discover import discover
from labkit.grade.intake.submission import Submission
from labkit.student.model import project
from labkit.student.model.budgets import MIB, Budgets

LAB = "01_spread"
WHEN = 1.7e9  # seconds since 1970; each file is 90 seconds newer than the one before


def save(folder: Path, files: Mapping[str, object]) -> Path:
    for number, (name, what) in enumerate(files.items()):
        path = folder / os.fsdecode(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(what if isinstance(what, bytes) else notebook(what))
        os.utime(path, (WHEN + 90 * number, WHEN + 90 * number))
    return folder


def zipped(entries: Mapping, **options) -> bytes:
    to = io.BytesIO()
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content, **options)
    return to.getvalue()


def chosen(*paths: Path, out: Path | None = None, course: project.Project | None = None) -> list[Submission]:
    """The submissions that count below these paths."""
    course = course or project.current()
    with extraction_directory(MIB) as room:
        return choose(course, discover(course, paths, out, room), Budgets())


def chosen_in(room, *paths: Path) -> list[Submission]:
    """The same, with archives extracted into `room` and notebooks of at most 1 MiB."""
    return choose(project.current(), discover(project.current(), paths, None, room), Budgets(submission_bytes=MIB))


def students(*paths: Path, out: Path | None = None) -> list[str]:
    return [each.student for each in chosen(*paths, out=out)]


def joined(roster: Path | None, *paths: Path) -> tuple[list[Submission], Desk]:
    """The submissions below these paths, matched with a roster, and the desk that did it."""
    people = read_roster(project.current().course, roster) if roster else None
    desk = Desk(project.current(), Policy(), given={}, adjusted={}, digests={}, comments=None, roster=people)
    return desk.joined(chosen(*paths)), desk


def written(folder: Path, roster: str, encoding: str = "utf-8") -> Path:
    path = folder / "roster.csv"
    path.write_bytes(roster.encode(encoding))
    return path


def roster_of(folder: Path, text: str, encoding: str = "utf-8") -> Roster:
    return read_roster(project.current().course, written(folder, text, encoding))


@cache
def notebook(what: str) -> bytes:
    copy = Handout("02_levels" if what == "the other lab" else LAB, solved=what == "solved")
    if what == "begun":
        copy.write("by_hand", "by_hand = [1.00, 1.63]")
    return copy.as_bytes()


SCRATCH = b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
PDF = b"%PDF-1.7"
