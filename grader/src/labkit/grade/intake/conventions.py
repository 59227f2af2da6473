r"""How each LMS or tool names the files and folders of a download: one table of conventions.

To support another download, add a row to CONVENTIONS. If names tell who submitted what, the row is a pattern with these groups,
of which only the student is needed:

| group | meaning |
|---|---|
| student, or those in the row's `student` | the student's id, or the name of a group of students |
| time, or those in the row's `when` | the time of submission, in the row's format |
| order, again | a number that increases with each attempt; how often the student submitted again |
| late, instead | the LMS's mark for late work; what was submitted in place of a file |

For example, `Convention("portal", re.compile(r"(?P<student>\w+)-try(?P<order>\d+)-.+"))`. Other rows find the submitters with a
function. A course adds rows of its own in its labkit.toml.

A student controls the end of a name, so each pattern matches as early as possible. In Canvas, a student may also control the
beginning: see `other_readings`.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from labkit.grade.intake.download_files import (
    INFO,
    METADATA,
    SETTINGS,
    STAMP,
    login_in,
    stamp_in,
    submitters,
    times_in,
    versions_in,
)
from labkit.grade.intake.submission import Submission
from labkit.grade.intake.tree import File, Folder
from labkit.student.model.errors import UserError
from labkit.student.model.project import MANIFEST, Project

Owners = dict[str, list[Submission]]  # the submitters of each file or folder, by its name
Beside = Mapping[str, File]  # the files in the same folder, by name
Inside = Mapping[str, Submission | None]  # the record of a student's inner folders, by name; None if they do not count

CLONES = "-submissions"  # suffix of a folder with clones of a class's repositories
BESIDE = {  # by the name of a folder with submissions: what is next to it in nbgrader's course, and in Submitty's download
    "submitted": {"source", "release", "autograded", "feedback", "nbgrader_config.py", "gradebook.db"},
    "submissions": {"results", "results_public", "checkout"},
}
NUMBERED = re.compile(r"(lab|hw|homework|assignment|exercise|week)-?\d+-", re.IGNORECASE)
BRANCH = re.compile(r"-(main|master)$")  # added by GitHub to the name of a downloaded repository
SAKAIS = re.compile(r"(?P<name>.*?) ?\((?P<id>[^()]+)\)")  # name of a student's or group's folder in Sakai
VERSION = re.compile("[0-9]{1,6}")  # name of a version's folder in Submitty
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")  # the number of a group in Sakai


class Convention(NamedTuple):
    """How an LMS or a tool names submissions."""

    by: str  # its name in the gradebook
    names: re.Pattern[str] | None = None  # matches the name of a submitted file
    student: str = r"\g<student>"  # the id, made of the groups in `names`
    between: str = ""  # what separates several students' ids
    time: str = ""  # the format of the time, which is in local time
    when: str = r"\g<time>"  # the time, made of the groups in `names`
    of_folders: bool = False  # whether `names` also matches students' folders
    within: str = ""  # pattern that is found in the name of the folder with the files; `names` applies only there
    login: Callable[[re.Match[str], Beside], str] | None = None  # the id, if another file tells it
    timed: Callable[[re.Match[str], Beside], float | None] | None = None  # the time, if another file tells it
    readings: Callable[[Iterable[str]], Mapping[str, tuple[str, ...]]] | None = None  # other students a name may mean
    owners: Callable[[Folder], Owners] | None = None  # finds the submitters of folders, if their names do not tell
    inside: Callable[[Folder, Submission], Inside] | None = None  # what is known of the folders in a student's folder
    adds: str = ""  # pattern for the names of other files that the download adds
    others: str = ""  # pattern for the names of files and folders in a student's folder that are not the student's
    is_numbered: bool = False  # no two files of a download have the same `order`
    is_shared: bool = False  # several students may have submitted the same folder
    is_timed: bool = True  # the files keep their modification times


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
    stamped = [each for each in students if any(map(stamp_in, each.folders)) and not _in_sakai(each)]
    is_submitted = folder.name == "submitted" and not folder.files
    found = folder.folders if is_submitted or students and stamped == students else []
    return {each.name: [Submission(each.name, by="nbgrader")] for each in found}


def _stamped(folder: Folder, submission: Submission) -> Inside:
    """The times in nbgrader's STUDENT/ASSIGNMENT/timestamp.txt; a deeper one may be the student's."""
    times = ((inner.name, stamp_in(inner)) for inner in folder.folders)
    return {name: replace(submission, submitted=when) for name, when in times if when}


def _in_sakai(folder: Folder) -> Owners:
    """The submitters in Sakai's folder: "Last, First(login)", "Group (number)", or the number of an anonymous submission."""
    inside = {each.name: _names_in(each) for each in folder.folders}
    found = {
        name: match
        for name, names in inside.items()
        if (match := SAKAIS.fullmatch(name)) and STAMP in names or "Submission attachment(s)" in names
    }
    return {
        name: [Submission(each["name" if UUID.fullmatch(each["id"]) else "id"] if each else name, by="sakai")]
        for name, each in found.items()
        if 2 * len(found) >= len(inside)
    }


def _in_student_of_sakai(folder: Folder, submission: Submission) -> Inside:
    """The time in the student's folder, whose own page is an online text; the inner folders have what was uploaded."""
    own = replace(submission, submitted=stamp_in(folder))
    return {"": replace(own, instead="text")} | {each.name: own for each in folder.folders}


def _in_submitty(folder: Folder) -> Owners:
    """The submitters in Submitty's folder, which has the student's settings in each student's folder."""
    known = [each.name for each in folder.folders if SETTINGS in _names_in(each)]
    return {name: [Submission(name, by="submitty")] for name in known if 2 * len(known) >= len(folder.folders)}


def _names_in(folder: Folder) -> list[str]:
    return [each.name for each in folder.files] + [each.name for each in folder.folders]


def _versions(folder: Folder, submission: Submission) -> Inside:
    """Submitty's versions: only the active one counts, and none if the student cancelled the submission."""
    active, times = versions_in(folder) or ("", {})
    told: dict[str, Submission | None] = dict.fromkeys(
        each.name for each in folder.folders if VERSION.fullmatch(each.name)
    )
    if active in told:
        return told | {active: replace(submission, submitted=times.get(active), attempt=int(active))}
    return told if active == "0" else {}  # without readable settings, all versions count


def submissions_in(course: Folder) -> Folder | None:
    """Find the folder of submissions in an nbgrader course or in Submitty's download with results; None if it is neither."""
    there = {*_names_in(course)}
    found = next((each for each in course.folders if each.name in BESIDE), None)
    return found if found and (there & BESIDE[found.name] or there == {"submitted"}) else None


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


@lru_cache(maxsize=8)
def rows(project: Project) -> tuple[Convention, ...]:
    """The conventions in the course's labkit.toml, then labkit's. The first that fits decides. Errors: UserError."""
    return (*(_own(project, **stated) for stated in project.conventions), *CONVENTIONS)


def _own(project: Project, by: str = "", names: str = "", **stated: str | bool) -> Convention:
    try:
        pattern = re.compile(names, re.DOTALL)
        row = Convention(by, pattern, **stated)  # type: ignore[arg-type]  # their types were checked when the file was read
        needed = ("student", "time") if row.time else ("student",)
        if missing := [name for name in needed if name not in pattern.groupindex]:
            raise ValueError(f"`names` needs a group (?P<{missing[0]}>…)")
        if not by:
            raise ValueError("it needs `by`, its name in the gradebook")
        pattern.sub(row.student, "")
        return row
    except (re.error, ValueError, IndexError) as error:
        raise UserError(f"{project.root / MANIFEST}: conventions, {by or 'without `by`'}: {error}") from None


# Canvas removes all characters except letters, marks, digits and underscores. Its anonymous ids have five characters.
_REST = r"_(?:(?P<order>\d+)_.+?(?:-(?P<again>\d{1,2}))?(?:\.[^.]+)?|(?P<instead>text|link)\.html)"
CANVAS_ANONYMOUS = re.compile(
    rf"(?=(?P<late>LATE_anon_|anon_LATE_)?)(?:LATE_)?anon(?:_LATE)?_(?P<student>[A-Za-z0-9]{{5}}){_REST}", re.DOTALL
)
CANVAS_NAMED = re.compile(
    r"(?P<student>(?:(?!_assignsubmission_)[^\s\x00-/:-@\[-^`{-\x7f])+?)(?P<late>(?i:_late))?_(?P<user>\d+)" + _REST,
    re.DOTALL,
)
_NUMBER = re.compile(r"(\d+)_")
_NEAR = 10  # the upload numbers of one download differ at most by this factor


def other_readings(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the students in the further readings of each of Canvas's file names that has any.

    lovelaceada_12345_99666_99777_lab.ipynb may be the file "99777_lab.ipynb" of lovelaceada_12345, or the file "lab.ipynb" of a
    student who chose the display name "lovelaceada_12345". The second reading counts if its upload number may be one: Canvas
    counts uploads, so those of one download are near each other, and no two files have the same.
    """
    numbers = {name: found for name in names if (found := _numbers(name))}
    sure = [each for each in numbers.values() if len(each) == 2] or [*numbers.values()]
    uploads = [int(upload[1]) for _, upload, *_ in sure]
    count = Counter(number for each in numbers.values() for number in {found[1] for found in each[2:]})
    common = {number for number, times in count.items() if times > 1 and 2 * times > len(numbers)}
    others = {name: (*_others(name, found, uploads, common),) for name, found in numbers.items()}
    return {name: students for name, students in others.items() if students}


def _numbers(name: str) -> list[re.Match[str]]:
    """The user's number in a name, the upload's, and those that follow; empty without an upload."""
    found = None if CANVAS_ANONYMOUS.fullmatch(name) else CANVAS_NAMED.fullmatch(name)
    if not found or not found["order"]:
        return []
    numbers, at = [], found.start("user")
    while (number := _NUMBER.match(name, at)) and number.end() < len(name):
        numbers.append(number)
        at = number.end()
    return numbers


def _others(
    name: str, numbers: list[re.Match[str]], uploads: Collection[int], common: Collection[str]
) -> Iterator[str]:
    """Yield the students in the further readings that count."""
    for user, upload in pairwise(numbers[1:]):
        near = min(uploads) <= _NEAR * int(upload[1]) and int(upload[1]) <= _NEAR * max(uploads)
        if near and not upload[1].startswith("0") and upload[1] not in common:
            yield name[: user.end(1)]


MONTH_FIRST, DAY_FIRST = (
    re.compile(
        rf"(?P<user>\d+)-\d+ - (?P<student>.+?) - (?P<day>{day}) (?P<hour>\d{{1,2}})(?P<minute>\d\d) (?P<half>[AP]M)(?: - .+)?",
        re.DOTALL,
    )
    for day in (r"[A-Z]\w+ \d{1,2}, \d{4}", r"\d{1,2} [A-Z]\w+ \d{4}")
)
BRIGHTSPACE = Convention(
    "brightspace",
    student=r"\g<student>_\g<user>",
    when=r"\g<day> \g<hour>:\g<minute> \g<half>",
    of_folders=True,
    adds=r"index\.html",
)
CANVAS = Convention("canvas", student=r"\g<student>_\g<user>", adds=r".+_text\.html", is_numbered=True, is_timed=False)
# What follows no convention is named after its folder or file ("folder", "file").
CONVENTIONS = (
    Convention("nbgrader", owners=_in_nbgrader, inside=_stamped, adds=re.escape(STAMP)),
    Convention("gradescope", owners=_in_gradescope, adds=re.escape(METADATA), is_shared=True),
    Convention("submitty", owners=_in_submitty, inside=_versions, adds=re.escape(SETTINGS), others=re.escape(SETTINGS)),
    Convention(
        "sakai",
        re.compile(r".+?,.*?\((?P<student>[^()]+)\)_Submission attachment\(s\)_.+", re.DOTALL),
        owners=_in_sakai,
        inside=_in_student_of_sakai,
        adds=r"timestamp\.txt|.+_submissionText\.html",
        others=r"timestamp\.txt|comments\.txt|feedbackText\.html|Feedback Attachment\(s\)",
        is_timed=False,
    ),
    BRIGHTSPACE._replace(names=MONTH_FIRST, time="%b %d, %Y %I:%M %p"),
    BRIGHTSPACE._replace(names=DAY_FIRST, time="%d %B %Y %I:%M %p"),
    CANVAS._replace(names=CANVAS_ANONYMOUS, student=r"anon_\g<student>"),
    CANVAS._replace(names=CANVAS_NAMED, readings=other_readings),
    # A name from Moodle 4 ends with the kind of folder; older versions add an underscore. A default group has no number.
    Convention(
        "moodle",
        re.compile(r"(?P<student>.+?)_assignsubmission_(?:(?P<instead>onlinetext)|[a-z]+?)(?:_.*)?", re.DOTALL),
        of_folders=True,
        adds=r"(.+_)?onlinetext(_.*)?\.html",
    ),
    Convention(
        "blackboard",
        re.compile(r"(?P<head>.+?)_attempt_(?P<time>\d{4}(-\d\d){5})(_.+|\.txt)", re.DOTALL),
        time="%Y-%m-%d-%H-%M-%S",
        login=login_in,
        adds=r".+?_attempt_\d{4}(-\d\d){5}(_.+)?\.txt",
    ),
    # The name that Autolab gives a file has two parts behind the address: EMAIL_3_lab.ipynb, or 3_EMAIL_lab_1.ipynb.
    Convention("autolab", re.compile(r"(?P<student>[^@]+@[^@_]+)_(?P<order>\d+)_[^_]+")),
    Convention("autolab", re.compile(r"(?P<order>\d+)_(?P<student>[^@]+@[^@_]+)_[^_]+_[^_]+")),
    Convention(
        "a-plus",
        re.compile(r"(?:exercise\d+_)?(?P<student>[^_]+)_file\d+_submission(?P<order>\d+)"),
        between="+",
        timed=lambda found, beside: times_in(beside.get(INFO)).get(found.group()),
        adds=re.escape(INFO),
        is_shared=True,
        is_timed=False,
    ),
    # Google puts the name at the end; Drive numbers files with the same name.
    Convention(
        "google forms",
        re.compile(r".+ - (?P<student>.+?)(?: ?\(\d+\))?\.\w+(?:\.txt|\.json)?", re.DOTALL),
        within=r"\(File responses\)$",
    ),
    Convention("repository", owners=_in_repositories),
)
SHARED = {row.by for row in CONVENTIONS if row.is_shared}
