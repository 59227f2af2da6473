"""Find the folders of submissions in a given path. A path one level too high works if it contains only one class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import islice

from labkit.grade.intake.conventions import is_download, of_nbgrader
from labkit.grade.intake.notebooks import Notebook, lab_in_name, notebook_in
from labkit.grade.intake.submission import Submission
from labkit.grade.intake.tree import File, Folder, is_archive
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project
from labkit.student.model.text import printable

LOOKED_INTO = 3  # notebooks per folder that are read to find their labs
CLASS = 5  # notebooks of one lab in a single folder: too many for one student's drafts
ARCHIVE = "an archive"


def classes_in(project: Project, given: Folder) -> Iterator[Folder]:
    """Yield the folders whose direct contents are submissions. Errors: UserError."""
    if submitted := of_nbgrader(given):
        yield submitted
        return
    inner = _with_submissions(given)
    if not inner or is_download(given) or any(_may_be_submitted(each) for each in given.files):
        yield given
    elif all(of_nbgrader(each) or is_download(each, or_clones=len(inner) == 1) for each in inner):
        for each in inner:
            yield from classes_in(project, each)
    elif len(inner) == 1:
        yield from classes_in(project, inner[0]) if holds_class(project, inner[0]) else [given]
    elif _hold_classes(project, inner):
        names = ", ".join(each.name for each in inner[:3])
        raise UserError(
            f"{given.place}: this folder is one level too high: each folder in it ({names}{', …' if len(inner) > 3 else ''}) "
            "has several students' submissions; grade these folders instead"
        )
    else:
        yield given


def holds_class(project: Project, folder: Folder) -> bool:
    """Whether the folder, or the first folder below it that is not an only folder, contains a class."""
    while not any(_may_be_submitted(each) for each in folder.files) and len(inner := _with_submissions(folder)) == 1:
        if is_download(folder) or of_nbgrader(folder):
            return True
        [folder] = inner
    return (
        is_download(folder)
        or of_nbgrader(folder) is not None
        or holds_files_of_several(project, folder)
        or holds_several(project, folder)
    )


def only_file(folder: Folder) -> File | None:
    """The only file in a folder or below its only folders; None if there are several, or if a download is on the way."""
    while not folder.files and len(folder.folders) == 1 and not is_download(folder):
        [folder] = folder.folders
    return folder.files[0] if len(folder.files) == 1 and not folder.folders else None


def one_student(submissions: Collection[Submission]) -> str:
    """Report that one student submitted all files, if these may be a class's; "" otherwise."""
    students = {each.student for each in submissions}
    files = sum(bool(each.path) + len(each.passed_over) for each in submissions)
    if len(students) != 1 or files <= len(submissions) or {each.by for each in submissions} - {"folder", "repository"}:
        return ""
    [student] = students
    return (
        f"All {files:,} files count as one student's, {printable(student)}, because they are in one folder. If they are "
        "several students', grade the folder that directly contains their files or folders."
    )


def _with_submissions(folder: Folder) -> list[Folder]:
    return [each for each in folder.folders if next(_files(each), None) or is_download(each) or of_nbgrader(each)]


def _files(folder: Folder) -> Iterator[File]:
    return (file for each in folder.walk() for file in each.files if _may_be_submitted(file))


def _may_be_submitted(file: File) -> bool:
    return file.is_notebook or is_archive(file.name)


def _hold_classes(project: Project, folders: list[Folder]) -> bool:
    """Whether each of these folders contains a class, rather than one student's files."""
    if all(holds_files_of_several(project, each) for each in folders):
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


def holds_files_of_several(project: Project, folder: Folder) -> bool:
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
