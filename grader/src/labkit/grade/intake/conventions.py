r"""Identify who submitted each file and folder of a download, by one table of naming conventions.

To support another download, add a row to CONVENTIONS. If names tell who submitted what, the row is a pattern with these groups,
of which only the student is needed:

| group | meaning |
|---|---|
| student, or those in the row's `student` | the student's id, or the name of a group of students |
| time | the time of submission, in the row's format |
| order, again | a number that increases with each attempt; how often the student submitted again |
| late, instead | the LMS's mark for late work; what was submitted in place of a file |

For example, `Convention("autolab", re.compile(r"(?P<student>[^_@]+@[^_@]+)_(?P<order>\d+)_.+"))`. Other rows find the submitters
with a function.

One convention applies to a whole download, the one that most files follow, so a name that imitates another convention is an
ordinary name. A student controls the end of a name, so each pattern matches as early as possible. In Canvas, a student may also
control the beginning: see `canvas_names`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import NamedTuple

from labkit.grade.intake import canvas_names
from labkit.grade.intake.files import Refusal, read_file
from labkit.grade.intake.gradescope import METADATA, submitters
from labkit.grade.intake.submission import Submission
from labkit.grade.intake.tree import File, Folder
from labkit.student.model.budgets import Budgets

Owners = dict[str, list[Submission]]  # the submitters of each file or folder, by its name
Beside = Mapping[str, File]  # the files in the same folder, by name

LONGEST = 1_000  # characters; longer names are not matched, because a name in an archive may have millions
CLONES = "-submissions"  # suffix of a folder with clones of a class's repositories
COURSE = {"source", "release", "autograded", "feedback", "nbgrader_config.py", "gradebook.db"}  # next to submitted/
NUMBERED = re.compile(r"(lab|hw|homework|assignment|exercise|week)-?\d+-", re.IGNORECASE)
BRANCH = re.compile(r"-(main|master)$")  # added by GitHub to the name of a downloaded repository


class Convention(NamedTuple):
    """How an LMS or a tool names submissions."""

    by: str  # its name in the gradebook
    names: re.Pattern[str] | None = None  # matches the name of a submitted file
    student: str = r"\g<student>"  # the id, made of the groups in `names`
    time: str = ""  # the format of the group `time`, which is in local time
    of_folders: bool = False  # whether `names` also matches students' folders
    login: Callable[[re.Match[str], Beside], str] | None = None  # the id, if another file tells it
    readings: Callable[[Iterable[str]], Mapping[str, tuple[str, ...]]] | None = None  # other students a name may mean
    owners: Callable[[Folder], Owners] | None = None  # finds the submitters of folders, if their names do not tell
    adds: str = ""  # pattern for the names of other files that the download adds
    stamp: str = ""  # the name of the file that it adds to STUDENT/ASSIGNMENT, with the time in UTC
    is_shared: bool = False  # several students may have submitted the same folder
    is_timed: bool = True  # the files keep their modification times


def owners_of_folders(folder: Folder) -> Owners:
    """Identify the students of the inner folders. Folders that follow no convention are left out."""
    names = [each.name for each in folder.folders]
    most = convention_of(names, of_folders=True)
    for row in CONVENTIONS:
        found = row.owners(folder) if row.owners else _named(names, row.by, {}) if row.by == most else {}
        if found:
            return found
    return {}


def owners_of_files(files: Collection[File]) -> Owners:
    """Identify the students of these files, which are in one folder. Names that follow no convention are left out."""
    names = [file.name for file in files]
    return _named(names, convention_of(names), {file.name: file for file in files})


def convention_of(names: Collection[str], of_folders: bool = False) -> str:
    """The convention that most of these names follow, and at least half of them; "" if there is none."""
    bys = dict.fromkeys(row.by for row in CONVENTIONS if row.names and row.of_folders >= of_folders)
    follow = {
        by: {found.groupdict().get("order") or name for name, (_, found) in _matches(names, by).items()} for by in bys
    }
    by = max(follow, key=lambda each: len(follow[each]))  # the first in the table wins a tie
    return by if follow[by] and 2 * len(follow[by]) >= len(names) else ""


def _matches(names: Iterable[str], by: str) -> dict[str, tuple[Convention, re.Match[str]]]:
    """Match names with the rows of a convention, the first row first."""
    rows = [(row, row.names) for row in CONVENTIONS if row.by == by and row.names]
    short = [name for name in names if len(name) <= LONGEST]
    return {
        name: (row, found) for row, pattern in reversed(rows) for name in short if (found := pattern.fullmatch(name))
    }


def _named(names: Iterable[str], by: str, beside: Beside) -> Owners:
    """Read the submitters from the names that follow a convention."""
    found = {name: _submission(row, match, beside) for name, (row, match) in _matches(names, by).items()}
    readings = next((row.readings(found) for row in CONVENTIONS if row.by == by and row.readings), {})
    for name, others in readings.items():  # such a file gets a row of its own, named by the last reading
        found[name] = replace(found[name], student=others[-1], readings=(found[name].student, *others))
    return {name: [submission] for name, submission in found.items()}


def _submission(row: Convention, found: re.Match[str], beside: Beside) -> Submission:
    told = found.groupdict()
    when = _seconds(told["time"] or "", row.time) if row.time else None
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
    return any(name == row.stamp or re.fullmatch(row.adds, name, re.DOTALL) for row in CONVENTIONS)


def is_students(folder: Folder, alone: bool) -> bool:
    """Whether this is one student's folder: a clone, one in a download, or a folder with notebooks that was not given alone."""
    in_download = folder.is_repository or folder.place.parent.name.endswith(CLONES)
    is_named = in_download or convention_of([folder.name], of_folders=True)
    return bool(is_named) or not alone and any(file.is_notebook for file in folder.files)


def is_download(folder: Folder, or_clones: bool = True) -> bool:
    """Whether the folder is an nbgrader course, or a name in it follows a download's convention.

    Clones count only with `or_clones`, because one student may have several.
    """
    known = [each for several in owners_of_folders(folder).values() for each in several]
    sure = or_clones or folder.name.endswith(CLONES)
    return (
        of_nbgrader(folder) is not None
        or any(sure or each.by != "repository" for each in known)
        or bool(convention_of([file.name for file in folder.files]))
    )


def submitted_at(inner: Folder, by: str) -> float | None:
    """The time in the file that a convention puts in STUDENT/ASSIGNMENT; a deeper one may be the student's."""
    stamp = next((row.stamp for row in CONVENTIONS if row.by == by), "")
    file = next((file for file in inner.files if file.name == stamp), None)
    text = _text_of(file, 100) if file else ""
    with suppress(ValueError):
        return datetime.fromisoformat(text.strip().removesuffix("UTC").strip()).replace(tzinfo=UTC).timestamp()
    return None


def or_changed(submission: Submission, changed: float) -> Submission:
    """Use the file's modification time if no time is known, unless the download changes the files' times."""
    is_timed = all(row.is_timed for row in CONVENTIONS if row.by == submission.by)
    if submission.submitted is None and is_timed:
        return replace(submission, submitted=changed, by_change=True)
    return submission


def _text_of(file: File, most: int) -> str:
    """Read a text file that the download added; "" if it is not a regular file."""
    found = read_file(file.path, Budgets(submission_bytes=most)) if file.path else b""
    return "" if isinstance(found, Refusal) else found.decode("utf-8", "replace")


def _blackboards_login(found: re.Match[str], beside: Beside) -> str:
    """Extract the login, which comes just before "attempt". Blackboard's own text file shows where it begins."""
    head: str = found["head"]
    if text := beside.get(f"{head}_attempt_{found['time']}.txt"):
        login = re.search(r"\(([^()\s]+)\)\s*$", _text_of(text, 65_536).partition("\n")[0])
        if login and head.endswith(f"_{login[1]}"):
            return login[1]
    return head.rpartition("_")[2] or head


def _in_gradescope(folder: Folder) -> Owners:
    metadata = next((submitters(file) for file in folder.files if file.name == METADATA), {})
    return {
        name: [Submission(each, by="gradescope", order=when or 0.0, submitted=when) for each, when in several]
        for name, several in metadata.items()
    }


def _in_nbgrader(folder: Folder) -> Owners:
    """The submitters in nbgrader's folder: it is called `submitted`, or every student has an assignment with its timestamp.

    A timestamp file from a single student is not enough, because the student may have made it.
    """
    students = [each for each in folder.folders if next(each.notebooks(), None)]
    stamped = [each for each in students if any(submitted_at(inner, "nbgrader") for inner in each.folders)]
    is_submitted = folder.name == "submitted" and not folder.files
    found = folder.folders if is_submitted or students and stamped == students else []
    return {each.name: [Submission(each.name, by="nbgrader")] for each in found}


def of_nbgrader(course: Folder) -> Folder | None:
    """Find the folder of submissions in an nbgrader course; None if the folder is not such a course."""
    there = {each.name for each in course.folders} | {each.name for each in course.files}
    submitted = next((each for each in course.folders if each.name == "submitted"), None)
    return submitted if submitted and (there & COURSE or there == {"submitted"}) else None


def _in_repositories(folder: Folder) -> Owners:
    """The owner of each repository: the repository's name without the prefix shared by all."""
    names = [each.name for each in folder.folders if not each.name.endswith(CLONES)]
    if folder.name.endswith(CLONES):
        shared = folder.name.removesuffix("submissions")
        named = {name: name for name in names if name.startswith(shared) and name != shared}
    else:
        are_clones = all(each.is_repository for each in folder.folders)
        named = {name: name if are_clones else BRANCH.sub("", name) for name in names}
        common = os.path.commonprefix([*named.values()])
        numbered = NUMBERED.match(common)
        shared = common[: common.rfind("-") + 1] if len(named) > 1 else numbered.group() if numbered else ""
        named = named if shared and (numbered or are_clones) else {}
    return {name: [Submission(own.removeprefix(shared) or name, by="repository")] for name, own in named.items()}


# The first row that fits decides. What follows no convention is named after its folder or file ("folder", "file").
CONVENTIONS = (
    Convention("nbgrader", owners=_in_nbgrader, stamp="timestamp.txt"),
    Convention("gradescope", owners=_in_gradescope, adds=re.escape(METADATA), is_shared=True),
    Convention("canvas", canvas_names.ANONYMOUS, r"anon_\g<student>", is_timed=False),
    Convention(
        "canvas", canvas_names.NAMED, r"\g<student>_\g<user>", is_timed=False, readings=canvas_names.other_readings
    ),
    # A name from Moodle 4 ends with the kind of folder; older versions add an underscore. A default group has no number.
    Convention(
        "moodle",
        re.compile(r"(?P<student>.+?)_assignsubmission_(?:(?P<instead>onlinetext)|[a-z]+?)(?:_.*)?", re.DOTALL),
        of_folders=True,
    ),
    Convention(
        "blackboard",
        re.compile(r"(?P<head>.+?)_attempt_(?P<time>\d{4}(-\d\d){5})(_.+|\.txt)", re.DOTALL),
        time="%Y-%m-%d-%H-%M-%S",
        login=_blackboards_login,
        adds=r".+?_attempt_\d{4}(-\d\d){5}(_.+)?\.txt",
    ),
    Convention("repository", owners=_in_repositories),
)
SHARED = {row.by for row in CONVENTIONS if row.is_shared}
