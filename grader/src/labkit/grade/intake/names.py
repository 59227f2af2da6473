"""Identify who submitted each file in a flat download, by the naming convention of most of the files.

| convention | file | student |
|---|---|---|
| canvas | `lovelaceada_LATE_12345_67890_lab-1.ipynb` | `lovelaceada_12345` |
| canvas, in place of a file | `lovelaceada_12345_text.html`, `…_link.html` | `lovelaceada_12345` |
| canvas, anonymous | `anon_aB3dE_67890_lab-1.ipynb`, with `LATE` before or after `anon` | `anon_aB3dE` |
| moodle | `Ada Lovelace_12345_assignsubmission_file_lab.ipynb` | `Ada Lovelace_12345` |
| blackboard | `Lab 1_ada_attempt_2024-01-31-12-30-05_lab.ipynb` | `ada` |

A student controls the end of such a name, so each pattern matches as early as possible. In Canvas, a student may also control
the beginning, by choosing a display name that ends in a classmate's number: `canvas_names` finds such names. One convention
applies to the whole download: a name that imitates another convention is treated as an ordinary name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from datetime import datetime

from labkit.grade.intake.files import Refusal, read_file
from labkit.grade.intake.submission import Submission
from labkit.grade.intake.tree import File
from labkit.student.model.budgets import Budgets

# Canvas removes all characters except letters, marks, digits and underscores. Its anonymous ids have five characters.
CANVAS = re.compile(
    r"(?:(?:LATE_(?P<late_anon>)anon|anon(?P<anon_late>_LATE)?)_(?P<anonymous>[A-Za-z0-9]{5})"
    r"|(?P<login>(?:(?!_assignsubmission_)[^\s\x00-/:-@\[-^`{-\x7f])+?)(?P<late>(?i:_late))?_(?P<user>\d+))"
    r"_(?:(?P<upload>\d+)_.+?(?:-(?P<again>\d{1,2}))?(?:\.[^.]+)?|(?P<instead>text|link)\.html)",
    re.DOTALL,
)
# A name from Moodle 4 ends with the kind of folder; older versions add an underscore. A default group has no number.
MOODLE = re.compile(r"(?P<student>.+?)_assignsubmission_(?P<kind>[a-z]+?)(?:_.*)?", re.DOTALL)
BLACKBOARD = re.compile(r"(?P<head>.+?)_attempt_(?P<when>\d{4}(-\d\d){5})(_.+|\.txt)", re.DOTALL)
CONVENTIONS = {"canvas": CANVAS, "moodle": MOODLE, "blackboard": BLACKBOARD}  # the first wins a tie
LONGEST = 1_000  # characters; longer names are not matched, because a name in an archive may have millions


def convention_of(files: Collection[File]) -> str:
    """The convention that at least half of the files follow, or ""."""
    follow = {by: {_own_part(by, found) for each in files if (found := _read(each, by))} for by in CONVENTIONS}
    by = max(follow, key=lambda each: len(follow[each]))
    return by if follow[by] and 2 * len(follow[by]) >= len(files) else ""


def submission_of_file(file: File, by: str, beside: Mapping[str, File]) -> Submission | None:
    """Read the submission from a file's name in a download that follows the convention `by`; None if the name does not fit.

    `beside` has the files in the same folder, by name. `instead` is "text" or "link" if that was submitted in place of a file.
    """
    found = _read(file, by) if by else None
    if not found:
        return None
    if by == "moodle":
        return Submission(found["student"], by=by, instead="text" if found["kind"] == "onlinetext" else "")
    if by == "blackboard":
        when = _local(found["when"])
        return Submission(_login(found, beside), by=by, order=when or 0.0, submitted=when)
    late = any(found[mark] is not None for mark in ("late", "late_anon", "anon_late"))
    student = student_in(found)
    attempt = int(found["again"] or 0) + 1 if found["upload"] else 0
    order, instead = float(found["upload"] or 0), found["instead"] or ""
    return Submission(student, by=by, order=order, attempt=attempt, late=late, instead=instead)


def student_in(found: re.Match[str]) -> str:
    """The student in a Canvas name."""
    return f"anon_{found['anonymous']}" if found["anonymous"] else f"{found['login']}_{found['user']}"


def text_of(file: File, most: int) -> str:
    """Read a text file that the download added; "" if it is not a regular file."""
    found = read_file(file.path, Budgets(submission_bytes=most)) if file.path else b""
    return "" if isinstance(found, Refusal) else found.decode("utf-8", "replace")


def _read(file: File, by: str) -> re.Match[str] | None:
    return CONVENTIONS[by].fullmatch(file.name) if len(file.name) <= LONGEST else None


def _own_part(by: str, found: re.Match[str]) -> str:
    """The part of a name that no two files of a download share. In Canvas it is the upload's number, if there is one."""
    part: str = found["upload"] or found["user"] or found["anonymous"] if by == "canvas" else found.group()
    return part


def _local(when: str) -> float | None:
    """Read Blackboard's time as local time, because it has no zone."""
    with suppress(ValueError, OverflowError):
        return datetime.strptime(when, "%Y-%m-%d-%H-%M-%S").timestamp()
    return None


def _login(found: re.Match[str], beside: Mapping[str, File]) -> str:
    """Extract the login, which comes just before "attempt". Blackboard's own text file shows where it begins."""
    head: str = found["head"]
    if text := beside.get(f"{head}_attempt_{found['when']}.txt"):
        login = re.search(r"\(([^()\s]+)\)\s*$", text_of(text, 65_536).partition("\n")[0])
        if login and head.endswith(f"_{login[1]}"):
            return login[1]
    return head.rpartition("_")[2] or head
