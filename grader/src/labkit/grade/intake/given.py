"""Read the given paths as trees. An archive is read as a folder, and so is the only archive in a folder if it holds a class."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from labkit.grade.intake.archives import GIVEN, BadArchive, ExtractionDirectory, read_archive
from labkit.grade.intake.classes import holds_class, only_file
from labkit.grade.intake.conventions import convention_of, is_added
from labkit.grade.intake.parts import joined
from labkit.grade.intake.tree import File, Folder, file_at, is_archive, read_folder, visible
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project

DEEPEST_ARCHIVE = 3  # levels of nested archives


def trees_at(
    project: Project, given: Mapping[Path, Path], out: Path | None, directory: ExtractionDirectory | None
) -> dict[Path, File | Folder]:
    """Read the tree at each path, by absolute path. The parts of one download are one tree. Errors: UserError."""
    trees = joined({place: _read(path, out, directory) for place, path in given.items()})
    return {place: directory and _class_in(project, tree, directory) or tree for place, tree in trees.items()}


def _read(path: Path, out: Path | None, directory: ExtractionDirectory | None) -> File | Folder:
    """Read the tree at a path: a folder, an archive as a folder, or a single submitted file."""
    if not path.exists():
        raise UserError(f"{path}: no such file or folder")
    file = file_at(path, visible(path.name), visible(path.name))
    try:
        if path.is_dir():
            return read_folder(path, out)
        if is_archive(file.name) and directory and not convention_of([file.name]):
            return read_archive(file, directory, GIVEN, wanted=is_added)
    except BadArchive as problem:
        raise UserError(f"{path}: the archive {problem}") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror or error})") from None
    if not file.is_notebook and not convention_of([file.name]):
        raise UserError(f"{path}: expected a notebook (.ipynb), an archive (.zip, .tar.gz) or a folder")
    return file


def _class_in(project: Project, tree: File | Folder, directory: ExtractionDirectory, level: int = 1) -> Folder | None:
    """Read the class in the archive that is the only file of a folder, or in an archive in it; None if there is no class."""
    file = only_file(tree) if isinstance(tree, Folder) else None
    if file is None or not is_archive(file.name) or convention_of([file.name]):
        return None
    try:
        inner = read_archive(file, directory, GIVEN, f"{file.below}/", wanted=is_added)
    except (BadArchive, OSError):  # the row of this file says why
        return None
    if level < DEEPEST_ARCHIVE and (deeper := _class_in(project, inner, directory, level + 1)):
        return deeper
    return inner if holds_class(project, inner) else None
