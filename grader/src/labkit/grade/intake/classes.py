"""Read the given paths, and find the folders of submissions in them. A path one level too high works if it contains one class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from labkit.grade.intake.archives import GIVEN, BadArchive, ExtractionDirectory, read_archive
from labkit.grade.intake.conventions import submissions_in
from labkit.grade.intake.notebooks import Notebook, lab_in_name, notebook_in
from labkit.grade.intake.owners import convention_of, is_download, is_students
from labkit.grade.intake.tree import File, Folder, file_at, is_archive, join_parts, read_folder, visible
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project

DEEPEST_ARCHIVE = 3  # levels of nested archives
LOOKED_INTO = 3  # notebooks per folder that are read to find their labs
CLASS = 5  # notebooks of one lab in a single folder: too many for one student's drafts
ARCHIVE = "an archive"


def class_folders(
    project: Project, given: Mapping[Path, Path], out: Path | None, directory: ExtractionDirectory
) -> Iterator[tuple[Path | None, Folder]]:
    """Yield the folders whose direct contents are submissions, with the given path of each.

    Files and students' folders that were given one by one are in a folder without a given path. `given` has the paths as they
    were written, by absolute path. An archive is read as a folder, and so is the only archive in a folder if it holds a class.
    Errors: UserError.
    """
    trees = join_parts({place: _read(project, path, out, directory) for place, path in given.items()})
    trees = {place: _class_in(project, tree, directory) or tree for place, tree in trees.items()}
    parents = {place.parent for place, tree in trees.items() if isinstance(tree, File)}
    folders = [tree for tree in trees.values() if isinstance(tree, Folder)]
    alone = len(trees) == 1 or all(is_download(project, each, or_clones=False) for each in folders)
    alone = alone or all(_holds_files_of_several(project, each) for each in folders)
    together: dict[Path, Folder] = {}
    for place, tree in trees.items():
        if isinstance(tree, File) and len(parents) == 1:
            _folder(together, place.parent).files.append(tree)
        elif isinstance(tree, File):  # files in several folders, as in class/*/*.ipynb: each folder is a student
            _child(_folder(together, place.parent.parent), place.parent).files.append(tree)
        elif is_students(project, tree, alone):
            _folder(together, place.parent).folders.append(tree)
        else:
            yield from ((given[place], each) for each in _classes_in(project, tree))
    yield from ((None, folder) for folder in together.values())


def _folder(known: dict[Path, Folder], place: Path) -> Folder:
    return known.setdefault(place, Folder(visible(place.name), place))


def _child(folder: Folder, place: Path) -> Folder:
    known = {each.place: each for each in folder.folders}
    return known.get(place) or folder.add_folder(visible(place.name), place=place)


def _read(project: Project, path: Path, out: Path | None, directory: ExtractionDirectory) -> File | Folder:
    """Read the tree at a path: a folder, an archive as a folder, or a single submitted file."""
    if not path.exists():
        raise UserError(f"{path}: no such file or folder")
    file = file_at(path, visible(path.name), visible(path.name))
    try:
        if path.is_dir():
            return read_folder(path, out)
        if is_archive(file.name) and not convention_of(project, [file.name]):
            return read_archive(file, directory, GIVEN)
    except BadArchive as problem:
        raise UserError(f"{path}: the archive {problem}") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror or error})") from None
    if not file.is_notebook and not convention_of(project, [file.name]):
        raise UserError(f"{path}: expected a notebook (.ipynb), an archive (.zip, .tar.gz) or a folder")
    return file


def _class_in(project: Project, tree: File | Folder, directory: ExtractionDirectory, level: int = 1) -> Folder | None:
    """Read the class in the archive that is the only file of a folder, or in an archive in it; None if there is no class."""
    file = _only_file(project, tree) if isinstance(tree, Folder) else None
    if file is None or not is_archive(file.name) or convention_of(project, [file.name]):
        return None
    try:
        inner = read_archive(file, directory, GIVEN, f"{file.below}/")
    except (BadArchive, OSError):  # the row of this file says why
        return None
    if level < DEEPEST_ARCHIVE and (deeper := _class_in(project, inner, directory, level + 1)):
        return deeper
    return inner if _holds_class(project, inner) else None


def _classes_in(project: Project, given: Folder) -> Iterator[Folder]:
    """Yield the folders whose direct contents are submissions. Errors: UserError."""
    if submitted := submissions_in(given):
        yield from _classes_in(project, submitted)
        return
    inner = _with_submissions(project, given)
    if not inner or is_download(project, given) or any(_may_be_submitted(each) for each in given.files):
        yield given
    elif all(is_download(project, each, or_clones=len(inner) == 1) for each in inner):
        for each in inner:
            yield from _classes_in(project, each)
    elif len(inner) == 1:
        yield from _classes_in(project, inner[0]) if _holds_class(project, inner[0]) else [given]
    elif _hold_classes(project, inner):
        names = ", ".join(each.name for each in inner[:3])
        raise UserError(
            f"{given.place}: this folder is one level too high: each folder in it ({names}{', …' if len(inner) > 3 else ''}) "
            "has several students' submissions; grade these folders instead"
        )
    else:
        yield given


def _holds_class(project: Project, folder: Folder) -> bool:
    """Whether the folder, or the first folder below it that is not an only folder, contains a class."""
    inner = _with_submissions(project, folder)
    alone = len(inner) == 1 and not any(_may_be_submitted(each) for each in folder.files)
    if alone and not is_download(project, folder):
        return _holds_class(project, inner[0])
    return is_download(project, folder) or _holds_files_of_several(project, folder) or holds_several(project, folder)


def _only_file(project: Project, folder: Folder) -> File | None:
    """The only file in a folder or below its only folders; None if there are several, or if a download is on the way."""
    while not folder.files and len(folder.folders) == 1 and not is_download(project, folder):
        [folder] = folder.folders
    return folder.files[0] if len(folder.files) == 1 and not folder.folders else None


def _with_submissions(project: Project, folder: Folder) -> list[Folder]:
    return [each for each in folder.folders if next(_files(each), None) or is_download(project, each)]


def _files(folder: Folder) -> Iterator[File]:
    return (file for each in folder.walk() for file in each.files if _may_be_submitted(file))


def _may_be_submitted(file: File) -> bool:
    return file.is_notebook or is_archive(file.name)


def _hold_classes(project: Project, folders: list[Folder]) -> bool:
    """Whether each of these folders contains a class, rather than one student's files."""
    if all(_holds_files_of_several(project, each) for each in folders):
        return True
    several = all(holds_several(project, each) for each in folders)
    return several and (not _attempts(folders) or _are_labs(project, folders))


def holds_several(project: Project, folder: Folder) -> bool:
    """Whether the folder contains a class rather than one student's files.

    In a class, several folders answer the same lab: at least three, or two if the file names are equal. Two folders with
    different file names may be one student's drafts.
    """
    if any(file.is_notebook for file in folder.files):
        return False
    answers: Counter[object] = Counter()
    for inner in folder.folders:
        labs = {(lab, file.name) for file in islice(_files(inner), LOOKED_INTO) if (lab := _lab(project, file))}
        answers.update(labs | {lab for lab, _ in labs})
        if any(count >= (2 if isinstance(what, tuple) else 3) for what, count in answers.items()):
            return True
    return False


def _holds_files_of_several(project: Project, folder: Folder) -> bool:
    """Whether the folder itself contains a class's notebooks, as a Google form's does: at least CLASS answer one lab."""
    files = [file for file in folder.files if _may_be_submitted(file)][: 2 * CLASS]
    labs = Counter(lab for file in files if (lab := _lab(project, file)))
    return max(labs.values(), default=0) >= CLASS


def _lab(project: Project, file: File) -> str | None:
    """The lab that a notebook answers. Archives are not opened: all count as answers to the same lab."""
    if is_archive(file.name):
        return ARCHIVE
    named = lab_in_name(project.course, file.name)
    if named or file.path is None:
        return named
    found = notebook_in(project, file.path)
    return found.lab_name if isinstance(found, Notebook) else None


def _attempts(folders: list[Folder]) -> bool:
    """Whether the folders inside these folders share names, as those of attempts or assignments do, unlike students' folders."""
    names = [inner.name for folder in folders for inner in folder.folders]
    return len(set(names)) <= len(names) / 2


def _are_labs(project: Project, folders: list[Folder]) -> bool:
    """Whether each folder answers one lab, and each another, as in LAB/STUDENT. Attempts answer the same lab."""
    labs = [{_lab(project, file) for file in islice(_files(each), LOOKED_INTO)} for each in folders]
    return all(len(each) == 1 and None not in each for each in labs) and len(set().union(*labs)) == len(labs)
