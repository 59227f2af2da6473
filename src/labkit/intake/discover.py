"""Find the files that were handed in under the paths an instructor gives, and whose they are."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from labkit import course

DEEPEST = 10  # folders below a student's own; nobody hands in more, and an archive can hold thousands
OF_A_RUN = {"results.json", "gradebook.csv"}  # what labkit writes: a folder with these is no student's


class NothingToGrade(ValueError):
    """A path that holds no submission; the message says so in one line."""


@dataclass(frozen=True)
class Entry:
    """A student's file. Without a path the student handed in no notebook, and `found` says what there is instead."""

    student: str
    path: Path | None
    file: str = ""  # its name below the path that was given, for people to find it
    found: str = ""


def discover(paths: Iterable[Path], out: Path | None = None) -> list[Entry]:
    """Every file by student; `out` is no student's folder. Errors: NothingToGrade, naming the path.

    Two folders, or files, that name the same student stay two: their names get as much of the folders above as tells
    them apart.
    """
    paths = list(paths)
    found: dict[tuple[Path, Path | None], Entry] = {}  # by the folder or file that names the student, and the file
    for path in paths:
        if not path.exists():
            raise NothingToGrade(f"{path}: there is no such file or folder")
    owners = [path for path in paths if path.is_dir() and len(paths) > 1 and _holds_notebooks(path)]
    parents = {path.absolute().parent for path in paths if not path.is_dir()}
    for path in paths:
        try:
            if not path.is_dir():
                here = [_single(path, alone=len(parents) == 1)]
            elif path in owners:  # among several, a folder with notebooks in it is a student's: class/*
                here = list(_of_student(path, path))
            else:
                here = list(_in_class(path, out))
        except OSError as error:
            raise NothingToGrade(f"{path}: it cannot be read ({error.strerror})") from None
        if not here:
            raise NothingToGrade(f"{path}: no notebooks in this folder; it should hold <student>/<lab>.ipynb")
        for place, entry in here:
            found.setdefault((place.absolute(), entry.path and entry.path.absolute()), entry)
    return _told_apart(found)


def visible(name: str | os.PathLike) -> str:
    """A name as text. Bytes that are not UTF-8, as in folders of a Windows archive, become visible: M\\xfcller."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _holds_notebooks(folder: Path) -> bool:
    try:
        return any(_is_notebook(child) for child in folder.iterdir())
    except OSError:
        return False


def _is_notebook(path: Path) -> bool:
    return path.suffix == ".ipynb" and not path.name.startswith(".") and not path.is_dir()


def _single(path: Path, alone: bool) -> tuple[Path, Entry]:
    """A file that was given itself. Among files of several folders the student is the folder: class/*/*.ipynb."""
    if path.suffix != ".ipynb":
        raise NothingToGrade(f"{path}: not a notebook (.ipynb) and not a folder")
    place = _named_by(path) if alone else path.absolute().parent
    return place, Entry(_student(place), path, visible(path.name))


def _named_by(path: Path) -> Path:
    """The folder where the file is named after a lab, as in alice/01_build_the_table.ipynb; else the file itself."""
    return path.absolute().parent if path.stem in course.current().names else path


def _student(place: Path) -> str:
    return visible(place.stem if place.suffix == ".ipynb" else place.name)


def _in_class(folder: Path, out: Path | None) -> Iterator[tuple[Path, Entry]]:
    """<student>/<lab>.ipynb, <student>/<assignment>/<lab>.ipynb, a flat LMS download, or one student's own folder."""
    for child in sorted(folder.iterdir()):
        if child.name.startswith((".", "__")) or out is not None and child.absolute() == out.absolute():
            continue
        if child.is_symlink() and child.is_dir():
            yield child, Entry(visible(child.name), None, found="a link to another folder")
        elif child.is_dir():
            yield from _of_student(child, folder)
        elif child.suffix == ".ipynb":
            place = _named_by(child)
            yield place, Entry(_student(place), child, visible(child.name))


def _of_student(folder: Path, given: Path) -> Iterator[tuple[Path, Entry]]:
    """The notebooks in a student's folder; where there are none, one entry that says what there is."""
    student, notebooks, others = visible(folder.name), [], []
    folders = [(folder, 0)]
    while folders:
        parent, depth = folders.pop()
        try:
            children = sorted(os.scandir(parent), key=lambda child: child.name)
        except OSError as error:
            others.append(f"a folder that cannot be read: {error.strerror}")
            continue
        for child in children:
            path = Path(child.path)
            if child.is_dir(follow_symlinks=False):
                if not child.name.startswith((".", "__")) and depth < DEEPEST:
                    folders.append((path, depth + 1))
            elif not child.name.startswith("."):
                (notebooks if path.suffix == ".ipynb" else others).append(path)
    for path in notebooks:
        yield folder, Entry(student, path, visible(path.relative_to(given)))
    if not notebooks and not OF_A_RUN <= {os.path.basename(other) for other in others}:
        names = [other if isinstance(other, str) else visible(other.name) for other in others[:3]]
        yield folder, Entry(student, None, found=", ".join(names) or "nothing")


def _told_apart(found: dict[tuple[Path, Path | None], Entry]) -> list[Entry]:
    """The entries by student, with more of the place in the name of each student where several have the same."""
    places: dict[str, set[Path]] = defaultdict(set)
    for (place, _), entry in found.items():
        places[entry.student].add(place)
    names = {place: name for name, several in places.items() for place, name in _names(name, several).items()}
    entries = [replace(entry, student=names[place]) for (place, _), entry in found.items()]
    return sorted(entries, key=lambda entry: (entry.student, entry.file))


def _names(name: str, places: set[Path]) -> dict[Path, str]:
    if len(places) == 1:
        return dict.fromkeys(places, name)
    for parts in range(2, max(len(place.parts) for place in places) + 1):
        names = {place: visible(Path(*place.parts[-parts:])) for place in places}
        if len(set(names.values())) == len(places):
            break
    return names
