"""Find the submissions under the paths an instructor gives."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from labkit.course import NAMES


class NothingToGrade(ValueError):
    """A path that holds no submission; the message says so in one line."""


@dataclass(frozen=True, order=True)
class Entry:
    """A student's file. Without a path the student handed in no notebook, and `found` lists what there is instead."""

    student: str
    path: Path | None
    found: str = ""


def discover(paths: Iterable[Path]) -> list[Entry]:
    """Every submission, sorted by student and file. Errors: NothingToGrade, naming the path."""
    entries: set[Entry] = set()
    for path in paths:
        if not path.exists():
            raise NothingToGrade(f"{path}: there is no such file or folder")
        found = _in_folder(path) if path.is_dir() else [_single(path)]
        if not found:
            raise NothingToGrade(f"{path}: no notebooks in this folder; it should hold <student>/<lab>.ipynb")
        entries.update(found)
    return sorted(entries, key=lambda entry: (entry.student, str(entry.path or "")))


def _single(path: Path) -> Entry:
    if path.suffix != ".ipynb":
        raise NothingToGrade(f"{path}: not a notebook (.ipynb) and not a folder")
    return Entry(_student_of_file(path), path)


def _student_of_file(path: Path) -> str:
    """The folder's name when the file is named after a lab, as in alice/01_build_the_table.ipynb; else the file's own."""
    return path.resolve().parent.name if path.stem in NAMES else path.stem


def _in_folder(folder: Path) -> list[Entry]:
    """<student>/<lab>.ipynb, <student>/<assignment>/<lab>.ipynb, a flat LMS download, or one student's own folder."""
    entries = []
    for child in sorted(folder.iterdir()):
        if child.name.startswith((".", "__")):
            continue
        if child.is_dir() and not child.is_symlink():
            entries += _of_student(child)
        elif child.suffix == ".ipynb":
            entries.append(Entry(_student_of_file(child), child))
    return entries


def _of_student(folder: Path) -> list[Entry]:
    notebooks, others = [], []
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
        for name in sorted(files):
            if not name.startswith("."):
                (notebooks if name.endswith(".ipynb") else others).append(Path(parent) / name)
    if notebooks:
        return [Entry(folder.name, path) for path in notebooks]
    return [Entry(folder.name, None, ", ".join(path.name for path in others[:3]) or "nothing")]
