"""Find submitted files under the given paths, and the student who submitted each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path

from labkit.grade.intake.archives import HANDED_IN, BadArchive, ExtractionDirectory, read_archive
from labkit.grade.intake.classes import DEEPEST_ARCHIVE, class_folders, holds_several
from labkit.grade.intake.conventions import CLONES
from labkit.grade.intake.download_files import typed_in
from labkit.grade.intake.owners import is_download, or_changed, owners_of_files, owners_of_folders, records_in
from labkit.grade.intake.submission import Submission
from labkit.grade.intake.tree import File, Folder, is_archive, visible
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project

OF_A_RUN = {"results.json", "gradebook.csv", "final_scores.json"}  # a folder with these files was written by labkit
LABKIT = "labkit"  # the owner of such a folder, in place of a naming convention; it gets no row, but is reported
NOTHING = "nothing"  # reported if a student's folder is empty
MOST_ARCHIVES = 3  # archives read per student folder or per archive
SEVERAL = "which has several students' submissions: grade it by itself"
# Extensions of files that students submit in place of a notebook. Other files may be the instructor's.
INSTEAD = (".html", ".htm", ".py", ".pdf", ".doc", ".docx", ".odt", ".rtf", ".7z", ".rar")
INSTEAD_OF = {"text": ", an online text", "onlinetext": ", an online text", "link": ", a link"}


@dataclass
class _StudentFiles:
    """The files of one student: notebooks by path, and the names of other files."""

    owner: Submission  # the student's record, without a file
    place: Path
    notebooks: dict[Path, Submission] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)

    @property
    def key(self) -> object:
        """Identify the student: by the folder or file named after the student, or by the name in a download."""
        by = self.owner.by
        named_there = by in ("folder", "file") or by == "repository" and not self.place.parent.name.endswith(CLONES)
        return self.place if named_there else (by, self.owner.student)

    def named(self, student: str) -> Iterator[Submission]:
        nothing = replace(self.owner, instead=", ".join(self.others[:3]) or NOTHING, attempt=0)
        yield from (replace(each, student=student) for each in self.notebooks.values() or [nothing])


def discover(
    project: Project, paths: Iterable[Path], out: Path | None, directory: ExtractionDirectory
) -> list[Submission]:
    """Find all submitted files by student, without reading them. `out` is skipped. Archives are extracted to `directory`.

    If two folders or files have the same name, enough parent
    folders are added to the students' names to distinguish them. Errors: UserError, with the path.
    """
    students_in = _StudentFinder(project, directory).of_class
    classes = class_folders(project, {path.absolute(): path for path in paths}, out, directory)
    found: dict[object, _StudentFiles] = {}
    for path, folders in groupby(classes, key=lambda each: each[0]):
        students = [each for _, folder in folders for each in students_in(folder)]
        if path and all(each.owner.by == LABKIT for each in students):
            raise UserError(f"{path}: no notebooks in this folder; expected <student>/<lab>.ipynb")
        for each in students:
            known = found.setdefault(each.key, each)
            known.notebooks = {**each.notebooks, **known.notebooks}
            known.others += [other for other in each.others if other not in known.others]
    submissions = _with_distinct_names(found)
    if submissions and all(each.path is None and each.instead.endswith(SEVERAL) for each in submissions):
        raise UserError(f"{submissions[0].instead}, as in `labkit grade` with the path of the archive")
    return submissions


@dataclass(frozen=True)
class _StudentFinder:
    """Find each student's files in a folder. Archives are extracted to `directory`."""

    project: Project
    directory: ExtractionDirectory

    def of_class(self, folder: Folder) -> Iterator[_StudentFiles]:
        """Yield the submissions in <student>/<lab>.ipynb, <student>/<assignment>/<lab>.ipynb, a download, or a student's folder."""
        owners = owners_of_folders(self.project, folder)
        for child in folder.folders:
            for submission in owners.get(child.name) or [Submission(child.name, by="folder")]:
                files = self._of_folder(child, submission)
                # In a download from an LMS, every folder is a student's.
                if submission.by == "folder" and not files.notebooks and OF_A_RUN <= {*files.others}:
                    files = _StudentFiles(replace(submission, by=LABKIT), child.place)
                yield files
        owners = owners_of_files(self.project, folder)
        own = any(self._is_named_after_a_lab(file) for file in folder.files)
        for file in folder.files:
            if file.name in owners:
                several, place = owners[file.name], folder.place / file.name
            elif self._is_named_after_a_lab(file) or own and not file.is_notebook:
                several, place = [Submission(folder.name, by="folder")], folder.place
            elif (
                file.is_notebook or is_archive(file.name) or file.name.lower().endswith(INSTEAD) and not folder.folders
            ):
                several, place = [Submission(file.stem, by="file")], folder.place / file.name
            else:
                continue
            yield from (self._of_folder(Folder(file.stem, place, files=[file]), owner) for owner in several)

    def _is_named_after_a_lab(self, file: File) -> bool:
        """Whether the file is named after a lab. Then its folder is named after the student, as in alice/01_build_the_table.ipynb."""
        return file.is_notebook and file.stem in self.project.course.names

    def _of_folder(self, folder: Folder, owner: Submission) -> _StudentFiles:
        """Collect all files in a student's folder and below."""
        files, archives = _StudentFiles(owner, folder.place), 0
        for each, record in records_in(folder, owner):
            if each.problem and each.problem not in files.others:
                files.others.append(each.problem)
            for file in each.files:
                archives += is_archive(file.name)
                if is_archive(file.name) and archives > MOST_ARCHIVES:
                    files.others.append(file.name)
                else:
                    self._add(files, file, record)
        return files

    def _add(self, files: _StudentFiles, file: File, owner: Submission) -> None:
        """Add a notebook, or the notebooks in an archive, or the name of any other file."""
        if file.is_notebook and file.path:
            files.notebooks[file.path.absolute()] = replace(owner, path=file.path, file=file.below, instead="")
        elif is_archive(file.name) and file.path:
            notebooks, problem = self._in_archive(file, owner)
            for notebook in notebooks:  # the student submitted the archive, so its modification time counts
                self._add(files, notebook, or_changed(owner, file.path.lstat().st_mtime))
            files.others += [problem] if problem else []
        else:
            kind = INSTEAD_OF.get(owner.instead, "") if file.name.endswith(".html") else ""
            quoted = f": “{text}”" if kind and (text := typed_in(file)) else ""
            files.others.append(file.name + kind + quoted)

    def _in_archive(self, file: File, owner: Submission) -> tuple[list[File], str]:
        """Return the notebooks in a submitted archive and in archives inside it, or if there are none, what to report."""
        notebooks: list[File] = []
        problems: list[str] = []
        waiting, bounds = [(file, 1)], HANDED_IN
        while waiting:
            archive, depth = waiting.pop(0)
            before = self.directory.left
            try:
                folder = read_archive(archive, self.directory, bounds, f"{archive.below}/")
            except BadArchive as problem:
                problems.append(f"{archive.name}, which {problem}")
                continue
            except OSError as error:
                problems.append(f"{archive.name}, which cannot be read: {error.strerror or error}")
                continue
            finally:  # nested archives share the limit of the outer one
                bounds = replace(bounds, size=bounds.size - (before - self.directory.left))
            is_given = archive is file and owner.by == "file"
            if is_given and (is_download(self.project, folder) or holds_several(self.project, folder)):
                return [], f"{file.name}, {SEVERAL}"
            notebooks += folder.notebooks()
            inner = [each for below in folder.walk() for each in below.files if is_archive(each.name) and each.path]
            looked_into = inner[:MOST_ARCHIVES] if depth < DEEPEST_ARCHIVE else []
            waiting += ((each, depth + 1) for each in looked_into)
            problems += (f"{each.below}, which was not opened" for each in inner[len(looked_into) :])
        return notebooks, "" if notebooks else "; ".join(problems[:3]) or f"{file.name}, which contains no notebook"


def _with_distinct_names(found: dict[object, _StudentFiles]) -> list[Submission]:
    """List the submissions by student. Parent folders are added to equal names to distinguish them."""
    alike: dict[str, list[_StudentFiles]] = defaultdict(list)
    for files in found.values():
        alike[files.owner.student].append(files)
    submissions = [
        each
        for student, several in alike.items()
        for files, name in zip(several, _names(student, [each.place for each in several]))
        for each in files.named(name)
    ]
    return sorted(submissions, key=lambda each: (each.student, each.file))


def _names(student: str, places: list[Path]) -> list[str]:
    if len(places) == 1:
        return [student]
    for parts in range(2, max(len(place.parts) for place in places) + 1):
        names = [visible(Path(*place.parts[-parts:])) for place in places]
        if len(set(names)) == len(places):
            break
    return names
