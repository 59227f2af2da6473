"""Identify who submitted each file and folder of a download.

One convention applies to a whole download, the one that most files follow, so a name that imitates another convention is an
ordinary name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime

from labkit.grade.intake.conventions import CLONES, CONVENTIONS, Beside, Convention, Owners, rows, submissions_in
from labkit.grade.intake.submission import Submission
from labkit.grade.intake.tree import Folder
from labkit.student.model.project import Project

LONGEST = 1_000  # characters; longer names are not matched, because a name in an archive may have millions


def owners_of_folders(project: Project, folder: Folder) -> Owners:
    """Identify the students of the inner folders. Folders that follow no convention are left out."""
    names = [each.name for each in folder.folders]
    most = convention_of(project, names, of_folders=True)
    for row in rows(project):
        found = row.owners(folder) if row.owners else _named(project, names, row.by, {}) if row.by == most else {}
        if found:
            return found
    return {}


def owners_of_files(project: Project, folder: Folder) -> Owners:
    """Identify the students of the files in a folder. Files that follow no convention are left out, those that it adds have no owner."""
    names = [file.name for file in folder.files]
    by = convention_of(project, names, within=folder.name)
    added = [row.adds for row in rows(project) if row.by == by and row.adds]
    unowned: Owners = {name: [] for name in names for pattern in added if re.fullmatch(pattern, name, re.DOTALL)}
    return unowned | _named(project, names, by, {file.name: file for file in folder.files})


def convention_of(project: Project, names: Collection[str], of_folders: bool = False, within: str = "") -> str:
    """The convention that most of these names follow, and at least half of them; "" if there is none.

    `within` is the name of the folder that contains them.
    """
    known = [row for row in rows(project) if row.names and row.of_folders >= of_folders]
    bys = dict.fromkeys(row.by for row in known if re.search(row.within, within))
    follow = {
        by: {
            row.is_numbered and found.groupdict().get("order") or name
            for name, (row, found) in _matches(project, names, by).items()
        }
        for by in bys
    }
    by = max(follow, key=lambda each: len(follow[each]))  # the first in the table wins a tie
    return by if follow[by] and 2 * len(follow[by]) >= len(names) else ""


def _matches(project: Project, names: Iterable[str], by: str) -> dict[str, tuple[Convention, re.Match[str]]]:
    """Match names with the rows of a convention, the first row first."""
    patterns = [(row, row.names) for row in rows(project) if row.by == by and row.names]
    short = [name for name in names if len(name) <= LONGEST]
    return {
        name: (row, found)
        for row, pattern in reversed(patterns)
        for name in short
        if (found := pattern.fullmatch(name))
    }


def _named(project: Project, names: Iterable[str], by: str, beside: Beside) -> Owners:
    """Read the submitters from the names that follow a convention."""
    found = {name: _submission(row, match, beside) for name, (row, match) in _matches(project, names, by).items()}
    readings = next((row.readings(found) for row in rows(project) if row.by == by and row.readings), {})
    for name, others in readings.items():  # such a file gets a row of its own, named by the last reading
        found[name] = replace(found[name], student=others[-1], readings=(found[name].student, *others))
    between = next((row.between for row in rows(project) if row.by == by), "")
    return {  # a record for each student that the name has
        name: [replace(each, student=one) for one in (each.student.split(between) if between else [each.student])]
        for name, each in found.items()
    }


def _submission(row: Convention, found: re.Match[str], beside: Beside) -> Submission:
    told = found.groupdict()
    when = _seconds(found.expand(row.when), row.time) if row.time else row.timed and row.timed(found, beside)
    order = float(told.get("order") or when or 0)
    return Submission(
        row.login(found, beside) if row.login else found.expand(row.student),
        by=row.by,
        order=order,
        attempt=int(told["again"] or 0) + 1 if told.get("order") and "again" in told else 0,
        submitted=when,
        late=told["late"] is not None if "late" in told else None,
        instead=told.get("instead") or "",
    )


def _seconds(when: str, form: str) -> float | None:
    """Read a time without a zone as local time."""
    with suppress(ValueError, OverflowError):
        return datetime.strptime(when, form).timestamp()
    return None


def is_added(name: str) -> bool:
    """Whether a file with this name comes with the download and describes a submission."""
    if len(name) > LONGEST:
        return False
    return any(re.fullmatch(row.adds, name, re.DOTALL) for row in CONVENTIONS)


def is_students(project: Project, folder: Folder, alone: bool) -> bool:
    """Whether this is one student's folder: a clone, one in a download, or a folder with notebooks that was not given alone."""
    in_download = folder.is_repository or folder.place.parent.name.endswith(CLONES)
    is_named = in_download or convention_of(project, [folder.name], of_folders=True)
    return bool(is_named) or not alone and any(file.is_notebook for file in folder.files)


def is_download(project: Project, folder: Folder, or_clones: bool = True) -> bool:
    """Whether the folder has submissions next to other folders, or a name in it follows a download's convention.

    Clones count only with `or_clones`, because one student may have several.
    """
    known = [each for several in owners_of_folders(project, folder).values() for each in several]
    sure = or_clones or folder.name.endswith(CLONES)
    return (
        submissions_in(folder) is not None
        or any(sure or each.by != "repository" for each in known)
        or bool(convention_of(project, [file.name for file in folder.files], within=folder.name))
    )


def records_in(folder: Folder, submission: Submission) -> Iterator[tuple[Folder, Submission]]:
    """Yield a student's folder and all folders below, each with the record of what is in it."""
    row = next((row for row in CONVENTIONS if row.by == submission.by), Convention(submission.by))
    told = row.inside(folder, submission) if row.inside else {}
    others = re.compile(row.others or "(?!)", re.DOTALL)
    own = told.get("") or submission
    files = [file for file in folder.files if not others.fullmatch(file.name)]
    yield replace(folder, folders=[], files=files), own
    for inner in folder.folders:
        record = told.get(inner.name, own)
        if record and not others.fullmatch(inner.name):
            yield from ((each, record) for each in inner.walk())


def or_changed(submission: Submission, changed: float) -> Submission:
    """Use the file's modification time if no time is known, unless the download changes the files' times."""
    is_timed = all(row.is_timed for row in CONVENTIONS if row.by == submission.by)
    if submission.submitted is None and is_timed:
        return replace(submission, submitted=changed, by_change=True)
    return submission
