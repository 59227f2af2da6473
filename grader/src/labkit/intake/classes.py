"""Find the folders of submissions in a given path. A path one level too high works if it contains only one class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from labkit.intake.downloads import is_download, of_nbgrader
from labkit.intake.notebooks import Notebook, lab_in_name, notebook_in
from labkit.intake.tree import File, Folder, is_archive
from labkit.model.project import Project

LOOKED_INTO = 3  # notebooks per folder that are read to find their labs
CLASS = 5  # notebooks of one lab in a single folder: too many for one student's drafts


class NothingToGrade(ValueError):
    """A path has no submissions; the message is one line that says why."""


def classes_in(project: Project, given: Folder) -> Iterator[Folder]:
    """Yield the folders whose direct contents are submissions. Errors: NothingToGrade."""
    if submitted := of_nbgrader(given):
        yield submitted
        return
    inner = [each for each in given.folders if next(each.notebooks(), None) or is_download(each) or of_nbgrader(each)]
    if not inner or is_download(given) or any(each.is_notebook or is_archive(each.name) for each in given.files):
        yield given
    elif all(of_nbgrader(each) or is_download(each, or_clones=len(inner) == 1) for each in inner):
        for each in inner:
            yield from classes_in(project, each)
    elif len(inner) == 1 and _holds_files_of_several(project, inner[0]):
        yield inner[0]
    elif not all(holds_several(project, each) for each in inner) or _attempts(inner):
        yield given
    elif len(inner) == 1:
        yield from classes_in(project, inner[0])
    else:
        names = ", ".join(each.name for each in inner[:3])
        raise NothingToGrade(
            f"{given.place}: this folder is one level too high: each folder in it ({names}{', …' if len(inner) > 3 else ''}) "
            "has several students' submissions; grade these folders instead"
        )


def holds_several(project: Project, folder: Folder) -> bool:
    """Whether the folder contains a class rather than one student's files.

    In a class, several folders answer the same lab: at least three, or two if the file names are equal. Two folders with
    different file names may be one student's drafts.
    """
    if any(file.is_notebook for file in folder.files):
        return False
    answers: Counter[object] = Counter()
    for inner in folder.folders:
        labs = {(lab, file.name) for file in islice(inner.notebooks(), LOOKED_INTO) if (lab := _lab(project, file))}
        answers.update(labs | {lab for lab, _ in labs})
        if any(count >= (2 if isinstance(what, tuple) else 3) for what, count in answers.items()):
            return True
    return False


def _holds_files_of_several(project: Project, folder: Folder) -> bool:
    """Whether the folder itself contains a class's notebooks, as a Google form's does: at least CLASS of them answer the same lab."""
    notebooks = [file for file in folder.files if file.is_notebook][: 2 * CLASS]
    labs = Counter(lab for file in notebooks if (lab := _lab(project, file)))
    return max(labs.values(), default=0) >= CLASS


def _lab(project: Project, file: File) -> str | None:
    named = lab_in_name(project.course, file.name)
    if named or file.path is None:
        return named
    found = notebook_in(project, file.path)
    return found.lab_name if isinstance(found, Notebook) else None


def _attempts(folders: list[Folder]) -> bool:
    """Whether the folders inside these folders share names, as those of attempts or assignments do, unlike students' folders."""
    names = [inner.name for folder in folders for inner in folder.folders]
    return len(set(names)) <= len(names) / 2
