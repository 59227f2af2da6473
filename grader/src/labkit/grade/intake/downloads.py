"""Identify who submitted each folder of a download, by its naming convention. For downloads without folders, see `names`.

| by | folder | student |
|---|---|---|
| moodle | `Ada Lovelace_12345_assignsubmission_file/`, in older versions with a final underscore | `Ada Lovelace_12345` |
| moodle, by group | `Group A_12_assignsubmission_file/` | `Group A_12` |
| moodle, anonymous | `Participant_3000_assignsubmission_file/` | `Participant_3000` |
| gradescope | `submission_123/`, with `submission_metadata.yml` | the e-mail of each submitter, else the id, else the name |
| nbgrader | `submitted/ada/ps1/lab.ipynb` | `ada` |
| repository | `lab-01-ada/`, a clone | `ada` |
| folder, file | `ada/lab.ipynb`, `ada.ipynb` | `ada` |
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from datetime import UTC, datetime

from labkit.grade.intake.names import BLACKBOARD, MOODLE, convention_of, text_of
from labkit.grade.intake.submission import Submission
from labkit.grade.intake.submitters import METADATA, submitters
from labkit.grade.intake.tree import Folder

NUMBERED = re.compile(r"(lab|hw|homework|assignment|exercise|week)-?\d+-", re.IGNORECASE)
BRANCH = re.compile(r"-(main|master)$")  # added by GitHub to the name of a downloaded repository
CLONES = "-submissions"  # suffix of a folder with clones of a class's repositories
COURSE = {"source", "release", "autograded", "feedback", "nbgrader_config.py", "gradebook.db"}  # next to submitted/
STAMP = "timestamp.txt"  # nbgrader's file next to the notebook


def is_wanted(name: str) -> bool:
    """Whether a file with this name comes with the download and describes a submission."""
    return name in (METADATA, STAMP) or name.endswith(".txt") and bool(BLACKBOARD.fullmatch(name))


def submissions_of_folders(folder: Folder) -> dict[str, tuple[Submission, ...]]:
    """Identify the students of the inner folders, by folder name. Folders that follow no convention are left out."""
    named = [found for each in folder.folders if (found := MOODLE.fullmatch(each.name))]
    most = 2 * len(named) >= len(folder.folders)  # a single folder may imitate the convention
    students: dict[str, tuple[Submission, ...]]
    students = {found.group(): (Submission(found["student"], by="moodle"),) for found in named if most}
    if metadata := next((file for file in folder.files if file.name == METADATA), None):
        for name, several in submitters(metadata).items():
            students[name] = tuple(
                Submission(each, by="gradescope", order=when or 0.0, submitted=when) for each, when in several
            )
    if is_nbgrader(folder):
        return {each.name: (Submission(each.name, by="nbgrader"),) for each in folder.folders}
    return students or {name: (Submission(login, by="repository"),) for name, login in _logins(folder).items()}


def is_students(folder: Folder, alone: bool) -> bool:
    """Whether this is one student's folder: a clone, a Moodle folder, or a folder with notebooks that was not given alone."""
    if folder.is_repository or MOODLE.fullmatch(folder.name) or folder.place.parent.name.endswith(CLONES):
        return True
    return not alone and any(file.is_notebook for file in folder.files)


def is_download(folder: Folder, or_clones: bool = True) -> bool:
    """Whether a name in the folder follows a download's convention.

    Clones count only with `or_clones`, because one student may have several.
    """
    known = [each for several in submissions_of_folders(folder).values() for each in several]
    sure = or_clones or folder.name.endswith(CLONES)
    return any(sure or each.by != "repository" for each in known) or bool(convention_of(folder.files))


def is_nbgrader(folder: Folder) -> bool:
    """Whether the folder is nbgrader's: it is called `submitted`, or every student has an assignment with nbgrader's timestamp.

    A timestamp file from a single student is not enough, because the student may have made it.
    """
    if folder.name == "submitted" and folder.folders and not folder.files:
        return True
    students = [each for each in folder.folders if next(each.notebooks(), None)]
    return bool(students) and all(any(stamped(inner) is not None for inner in each.folders) for each in students)


def of_nbgrader(course: Folder) -> Folder | None:
    """Find the folder of submissions in an nbgrader course; None if the folder is not such a course."""
    there = {each.name for each in course.folders} | {each.name for each in course.files}
    submitted = next((each for each in course.folders if each.name == "submitted"), None)
    return submitted if submitted and (there & COURSE or there == {"submitted"}) else None


def stamped(folder: Folder) -> float | None:
    """Read the submission time from nbgrader's timestamp file."""
    stamp = next((file for file in folder.files if file.name == STAMP), None)
    text = text_of(stamp, 100) if stamp else ""
    with suppress(ValueError):
        return datetime.fromisoformat(text.strip().removesuffix("UTC").strip()).replace(tzinfo=UTC).timestamp()
    return None


def _logins(folder: Folder) -> dict[str, str]:
    """Return the owner of each repository: the repository's name without the prefix shared by all."""
    names = [each.name for each in folder.folders if not each.name.endswith(CLONES)]
    if folder.name.endswith(CLONES):
        shared = folder.name.removesuffix("submissions")
        return {name: name.removeprefix(shared) for name in names if name.startswith(shared) and name != shared}
    are_clones = all(each.is_repository for each in folder.folders)
    named = {name: name if are_clones else BRANCH.sub("", name) for name in names}
    common = os.path.commonprefix([*named.values()])
    numbered = NUMBERED.match(common)
    shared = common[: common.rfind("-") + 1] if len(named) > 1 else numbered.group() if numbered else ""
    if not shared or not numbered and not are_clones:
        return {}
    return {name: plain.removeprefix(shared) or name for name, plain in named.items()}
