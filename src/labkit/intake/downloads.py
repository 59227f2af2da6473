"""Whose a file or folder of a download is, by the download's own convention.

| by | what it looks like | student |
|---|---|---|
| canvas | `lovelaceada_LATE_12345_67890_lab-1.ipynb` | `lovelaceada_12345` |
| moodle | `Ada Lovelace_12345_assignsubmission_file_/` | `Ada Lovelace_12345` |
| gradescope | `submission_123/`, beside `submission_metadata.yml` | the e-mail of each submitter, else the id, else the name |
| blackboard | `Lab 1_ada_attempt_2024-01-31-12-30-05_lab.ipynb` | `ada` |
| nbgrader | `submitted/ada/ps1/lab.ipynb` | `ada` |
| repository | `lab-01-ada/`, a clone | `ada` |
| folder, file | `ada/lab.ipynb`, `ada.ipynb` | `ada` |

What a student may choose, which is the name behind the convention's own part, has no say in it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from labkit.budgets import Budgets
from labkit.intake.notebooks import Refusal, read_file
from labkit.intake.submitters import METADATA, submitters
from labkit.intake.tree import File, Folder, is_notebook

CANVAS = re.compile(r"(?P<login>.+?)(?i:_late)?_(?P<user>\d+)_(?P<upload>\d+)_.+?(-(?P<again>\d{1,2}))?(\.[^.]+)?")
MOODLE = re.compile(r"(?P<student>.+?_\d+)_assignsubmission_(file|onlinetext)_.*", re.DOTALL)
BLACKBOARD = re.compile(r"(?P<head>.+?)_attempt_(?P<when>\d{4}(-\d\d){5})(_.+|\.txt)", re.DOTALL)
NUMBERED = re.compile(r"(lab|hw|homework|assignment|exercise|week)-?\d+-", re.IGNORECASE)
BRANCH = re.compile(r"-(main|master)$")  # which a site adds to the name of a repository that is downloaded
CLONES = "-submissions"  # the end of the name of a folder into which a class is cloned
COURSE = {"source", "release", "autograded", "feedback", "nbgrader_config.py", "gradebook.db"}  # beside submitted/
STAMP = "timestamp.txt"  # of nbgrader, beside the notebook


@dataclass(frozen=True)
class Owner:
    """Whose it is and what says so; and of an attempt what the download tells of it."""

    student: str
    by: str
    order: float = 0.0  # grows from one attempt to the next; 0 where the download does not tell
    attempt: int = 0  # 1 for the first; 0 where the download does not count
    submitted: float | None = None  # seconds since 1970


def is_wanted(name: str) -> bool:
    """Whether the download tells something of a hand-in in a file of this name."""
    return name in (METADATA, STAMP) or name.endswith(".txt") and bool(BLACKBOARD.fullmatch(name))


def owner_of_file(file: File, beside: Mapping[str, File]) -> Owner | None:
    """By its name in a flat download; `beside` are the files of that by their names."""
    name = file.name
    if found := MOODLE.fullmatch(name):
        return Owner(found["student"], "moodle")
    if found := BLACKBOARD.fullmatch(name):
        when = _local(found["when"])
        return Owner(_login(found, beside), "blackboard", order=when or 0.0, submitted=when)
    if found := CANVAS.fullmatch(name):
        again = int(found["again"] or 0)
        return Owner(f"{found['login']}_{found['user']}", "canvas", float(found["upload"]), again + 1)
    return None


def owners_of_folders(folder: Folder) -> dict[str, tuple[Owner, ...]]:
    """Whose the folders in a folder are, by their names: those of which a convention says it."""
    named = {each.name: MOODLE.fullmatch(each.name) for each in folder.folders}
    owners = {name: (Owner(found["student"], "moodle"),) for name, found in named.items() if found}
    if metadata := next((file for file in folder.files if file.name == METADATA), None):
        for name, several in submitters(metadata).items():
            owners[name] = tuple(Owner(each, "gradescope", when or 0.0, 0, when) for each, when in several)
    if is_nbgrader(folder):
        return {each.name: (Owner(each.name, "nbgrader"),) for each in folder.folders}
    return owners or {name: (Owner(login, "repository"),) for name, login in _logins(folder).items()}


def is_students(folder: Folder, alone: bool) -> bool:
    """Whether a folder that is given itself is a student's own, and no class's: one with notebooks is, unless it is alone."""
    if folder.is_repository or MOODLE.fullmatch(folder.name) or folder.place.parent.name.endswith(CLONES):
        return True
    return not alone and any(is_notebook(file.name) for file in folder.files)


def is_download(folder: Folder, or_clones: bool = True) -> bool:
    """Whether a convention says whose at least one of the things in it is. Of clones a student may have several, too."""
    beside = {file.name: file for file in folder.files}
    owners = [each for several in owners_of_folders(folder).values() for each in several]
    sure = or_clones or folder.name.endswith(CLONES)
    return any(sure or each.by != "repository" for each in owners) or any(
        owner_of_file(file, beside) for file in folder.files
    )


def is_nbgrader(folder: Folder) -> bool:
    """STUDENT/ASSIGNMENT/NOTEBOOK.ipynb, in a folder of this name or with nbgrader's own time of every hand-in beside it.

    One student's file of that name decides nothing.
    """
    if folder.name == "submitted" and folder.folders and not folder.files:
        return True
    students = [each for each in folder.folders if next(each.notebooks(), None)]
    return bool(students) and all(any(stamped(inner) is not None for inner in each.folders) for each in students)


def of_nbgrader(course: Folder) -> Folder | None:
    """The folder with what was handed in, of one with a whole course of nbgrader."""
    there = {each.name for each in (*course.folders, *course.files)}
    submitted = next((each for each in course.folders if each.name == "submitted"), None)
    return submitted if submitted and (there & COURSE or there == {"submitted"}) else None


def stamped(folder: Folder) -> float | None:
    """When nbgrader says that what is in the folder was handed in."""
    stamp = next((file for file in folder.files if file.name == STAMP), None)
    said = text_of(stamp, 100) if stamp else ""
    with suppress(ValueError):
        return datetime.fromisoformat(said.strip().removesuffix("UTC").strip()).replace(tzinfo=UTC).timestamp()
    return None


def text_of(file: File, most: int) -> str:
    """What is in a file of the download's own, if it is an ordinary one; else nothing."""
    found = read_file(file.path, Budgets(submission_bytes=most)) if file.path else b""
    return "" if isinstance(found, Refusal) else found.decode("utf-8", "replace")


def _local(when: str) -> float | None:
    """A time as Blackboard writes it, which does not say where: here, then."""
    with suppress(ValueError, OverflowError):
        return datetime.strptime(when, "%Y-%m-%d-%H-%M-%S").timestamp()
    return None


def _login(found: re.Match, beside: Mapping[str, File]) -> str:
    """The end of what stands before the attempt. Where it begins, the text that Blackboard puts beside an attempt says."""
    head = found["head"]
    if text := beside.get(f"{head}_attempt_{found['when']}.txt"):
        said = re.search(r"\(([^()\s]+)\)\s*$", text_of(text, 65_536).partition("\n")[0])
        if said and head.endswith(f"_{said[1]}"):
            return said[1]
    return head.rpartition("_")[2] or head


def _logins(folder: Folder) -> dict[str, str]:
    """Of each repository its owner: what is left of its name without what all of them share."""
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
