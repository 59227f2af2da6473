"""Find the files that were handed in under the paths an instructor gives, and whose they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from labkit.intake.archives import GIVEN, HANDED_IN, BadArchive, ExtractionDirectory, read_archive
from labkit.intake.classes import NothingToGrade, classes_in, holds_several
from labkit.intake.downloads import CLONES, is_download, is_students, is_wanted, owners_of_folders, stamped
from labkit.intake.names import Owner, convention_of, owner_of_file
from labkit.intake.parts import joined
from labkit.intake.tree import File, Folder, file_at, is_archive, read_folder, visible
from labkit.model import course

OF_A_RUN = {"results.json", "gradebook.csv"}  # what labkit writes: a folder with these is no student's
MOST_ARCHIVES = 3  # in a student's folder, or in another archive, that are looked into
DEEPEST_ARCHIVE = 3  # archives in one another
# What is handed in instead of a notebook. A file of another kind beside flat notebooks may be the instructor's own.
INSTEAD = (".html", ".htm", ".py", ".pdf", ".doc", ".docx", ".odt", ".rtf", ".7z", ".rar")
INSTEAD_OF = {
    "text": ", a text submitted in place of a notebook",
    "link": ", a link submitted in place of a notebook",
}


@dataclass(frozen=True)
class Entry:
    """A student's file. Without a path the student handed in no notebook, and `found` says what there is instead."""

    student: str
    path: Path | None
    file: str = ""  # its name below the path that was given, for people to find it
    found: str = ""
    by: str = ""  # what says whose it is: folder, file, or the convention of a download
    order: float = 0.0  # grows from one of the student's attempts to the next, where the download says so
    attempt: int = 0  # where the download counts them
    submitted: float | None = None  # seconds since 1970, where the download says it
    late: bool | None = None  # as the LMS marks it, where it marks anything
    changed: float | None = None  # of a file in an archive that a student submitted: when that archive was changed


@dataclass
class _HandIn:
    """What is one student's: notebooks by where they lie, and what there is besides."""

    owner: Owner
    place: Path
    entries: dict[Path, Entry] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)

    @property
    def key(self) -> object:
        """What tells two students apart: a download's name for them, else the folder or file that names them."""
        by = self.owner.by
        named_there = by in ("folder", "file") or by == "repository" and not self.place.parent.name.endswith(CLONES)
        return self.place if named_there else (by, self.owner.student)

    def named(self, student: str) -> Iterator[Entry]:
        owner = self.owner
        found = ", ".join(self.others[:3]) or "nothing"
        nothing = Entry(student, None, found=found, by=owner.by, submitted=owner.submitted, late=owner.late)
        yield from (replace(entry, student=student) for entry in self.entries.values() or [nothing])


def discover(paths: Iterable[Path], out: Path | None = None, room: ExtractionDirectory | None = None) -> list[Entry]:
    """Every file by student; `out` is no student's folder, and `room` is where archives are taken to, if any are read.

    Errors: NothingToGrade, naming the path. Two folders, or files, that name the same student stay two: their names get
    as much of the folders above as tells them apart.
    """
    given = {path.absolute(): path for path in paths}
    trees = joined({place: _read(path, out, room) for place, path in given.items()})
    parents = {place.parent for place, tree in trees.items() if isinstance(tree, File)}
    folders = [tree for tree in trees.values() if isinstance(tree, Folder)]
    alone = len(trees) == 1 or all(is_download(each, or_clones=False) for each in folders)
    found: dict[object, _HandIn] = {}
    together: dict[Path, Folder] = {}  # what students handed in that was given itself, by the folder that it lies in
    for place, tree in trees.items():
        if isinstance(tree, File) and len(parents) == 1:
            _folder(together, place.parent).files.append(tree)
        elif isinstance(tree, File):  # among files of several folders the student is the folder: class/*/*.ipynb
            _child(_folder(together, place.parent.parent), place.parent).files.append(tree)
        elif is_students(tree, alone):
            _folder(together, place.parent).folders.append(tree)
        else:
            hand_ins = [each for inner in classes_in(tree) for each in _of_class(inner, room)]
            if not hand_ins:
                path = given[place]
                raise NothingToGrade(f"{path}: no notebooks in this folder; it should hold <student>/<lab>.ipynb")
            _merge(found, hand_ins)
    for folder in together.values():
        _merge(found, _of_class(folder, room))
    return _told_apart(found)


def _read(path: Path, out: Path | None, room: ExtractionDirectory | None) -> File | Folder:
    """What a path leads to: a folder, an archive as a folder, or a file that is handed in itself."""
    if not path.exists():
        raise NothingToGrade(f"{path}: there is no such file or folder")
    file = file_at(path, visible(path.name), visible(path.name))
    try:
        if path.is_dir():
            return read_folder(path, out)
        if is_archive(file.name) and room and not convention_of([file]):
            return read_archive(file, room, GIVEN, wanted=is_wanted)
    except BadArchive as problem:
        raise NothingToGrade(f"{path}: the archive {problem}") from None
    except OSError as error:
        raise NothingToGrade(f"{path}: it cannot be read ({error.strerror or error})") from None
    if not file.is_notebook and not convention_of([file]):
        raise NothingToGrade(f"{path}: not a notebook (.ipynb), not an archive (.zip, .tar.gz) and not a folder")
    return file


def _folder(known: dict[Path, Folder], place: Path) -> Folder:
    return known.setdefault(place, Folder(visible(place.name), place))


def _child(folder: Folder, place: Path) -> Folder:
    known = {each.place: each for each in folder.folders}
    return known.get(place) or folder.add_folder(visible(place.name), place=place)


def _merge(found: dict[object, _HandIn], more: Iterable[_HandIn]) -> None:
    for each in more:
        known = found.setdefault(each.key, each)
        known.entries = {**each.entries, **known.entries}
        known.others += [other for other in each.others if other not in known.others]


def _of_class(folder: Folder, room: ExtractionDirectory | None) -> Iterator[_HandIn]:
    """<student>/<lab>.ipynb, <student>/<assignment>/<lab>.ipynb, a download from an LMS, or one student's own folder."""
    conventions = owners_of_folders(folder)
    for child in folder.folders:
        for owner in conventions.get(child.name, (Owner(child.name, "folder"),)):
            hand_in = _of_folder(child, owner, room)
            if hand_in.entries or not OF_A_RUN <= {*hand_in.others}:
                yield hand_in
    by, beside = convention_of(folder.files), {file.name: file for file in folder.files}
    own = any(_is_named_after_a_lab(file) for file in folder.files)
    for file in folder.files:
        if owner := owner_of_file(file, by, beside):
            yield _of_file(file, owner, folder.place / file.name, room)
        elif _is_named_after_a_lab(file) or own and not file.is_notebook:
            yield _of_file(file, Owner(folder.name, "folder"), folder.place, room)
        elif file.is_notebook or is_archive(file.name) or _is_instead(file) and not folder.folders:
            yield _of_file(file, Owner(file.stem, "file"), folder.place / file.name, room)


def _is_named_after_a_lab(file: File) -> bool:
    """As in alice/01_build_the_table.ipynb, so that the folder names the student."""
    return file.is_notebook and file.stem in course.current().names


def _is_instead(file: File) -> bool:
    return file.name.lower().endswith(INSTEAD)


def _of_file(file: File, owner: Owner, place: Path, room: ExtractionDirectory | None) -> _HandIn:
    hand_in = _HandIn(owner, place)
    _add(hand_in, file, owner, room)
    return hand_in


def _of_folder(folder: Folder, owner: Owner, room: ExtractionDirectory | None) -> _HandIn:
    """All in a student's folder, whatever lies in which."""
    hand_in, archives = _HandIn(owner, folder.place), 0
    for each, when in _timed(folder, owner):
        if each.problem:
            hand_in.others.append(each.problem)
        for file in each.files:
            archives += is_archive(file.name)
            looked_into = room if archives <= MOST_ARCHIVES else None
            _add(hand_in, file, replace(owner, submitted=when), looked_into)
    return hand_in


def _timed(folder: Folder, owner: Owner) -> Iterator[tuple[Folder, float | None]]:
    """All folders of a student and when their files were submitted.

    Only nbgrader's own stamp, at STUDENT/ASSIGNMENT, counts: a stamp further down is a student's file.
    """
    yield replace(folder, folders=[]), owner.submitted
    for inner in folder.folders:
        when = stamped(inner) if owner.by == "nbgrader" else None
        yield from ((each, when or owner.submitted) for each in inner.walk())


def _add(
    hand_in: _HandIn, file: File, owner: Owner, room: ExtractionDirectory | None, changed: float | None = None
) -> None:
    """A notebook, the notebooks in an archive, or the name of something else."""
    if file.is_notebook and file.path:
        told = {name: getattr(owner, name) for name in ("by", "order", "attempt", "submitted", "late")}
        hand_in.entries[file.path.absolute()] = Entry(owner.student, file.path, file.below, **told, changed=changed)
    elif is_archive(file.name) and file.path and room:
        notebooks, said = _in_archive(file, owner, room)
        for notebook in notebooks:
            _add(hand_in, notebook, owner, None, file.path.lstat().st_mtime)
        hand_in.others += [said] if said else []
    else:
        hand_in.others.append(file.name + INSTEAD_OF.get(owner.instead or _typed_in(file, owner), ""))


def _typed_in(file: File, owner: Owner) -> str:
    return "text" if owner.by == "moodle" and file.name == "onlinetext.html" else ""


def _in_archive(file: File, owner: Owner, room: ExtractionDirectory) -> tuple[list[File], str]:
    """The notebooks in an archive that a student handed in, and in archives in it; or what is to be said of it."""
    notebooks, said, waiting, bounds = [], [], [(file, 1)], HANDED_IN
    while waiting:
        archive, depth = waiting.pop(0)
        before = room.left
        try:
            folder = read_archive(archive, room, bounds, f"{archive.below}/")
        except BadArchive as problem:
            said.append(f"{archive.name}, which {problem}")
            continue
        except OSError as error:
            said.append(f"{archive.name}, which cannot be read: {error.strerror or error}")
            continue
        finally:  # archives in an archive take of its bytes
            bounds = replace(bounds, size=bounds.size - (before - room.left))
        if archive is file and owner.by == "file" and (holds_several(folder) or is_download(folder)):
            return [], f"{file.name}, which holds the hand-ins of several: grade it by itself"
        notebooks += folder.notebooks()
        inner = [each for below in folder.walk() for each in below.files if is_archive(each.name) and each.path]
        looked_into = inner[:MOST_ARCHIVES] if depth < DEEPEST_ARCHIVE else []
        waiting += ((each, depth + 1) for each in looked_into)
        said += (f"{each.below}, which is not looked into" for each in inner[len(looked_into) :])
    return notebooks, "" if notebooks else "; ".join(said[:3]) or f"{file.name}, without a notebook in it"


def _told_apart(found: dict[object, _HandIn]) -> list[Entry]:
    """The entries by student, with more of the place in the name of each student where several have the same."""
    alike: dict[str, list[_HandIn]] = defaultdict(list)
    for hand_in in found.values():
        alike[hand_in.owner.student].append(hand_in)
    entries = [
        entry
        for student, several in alike.items()
        for hand_in, name in zip(several, _names(student, [each.place for each in several]))
        for entry in hand_in.named(name)
    ]
    return sorted(entries, key=lambda entry: (entry.student, entry.file))


def _names(student: str, places: list[Path]) -> list[str]:
    if len(places) == 1:
        return [student]
    for parts in range(2, max(len(place.parts) for place in places) + 1):
        names = [visible(Path(*place.parts[-parts:])) for place in places]
        if len(set(names)) == len(places):
            break
    return names
