"""Find Canvas names with two readings.

lovelaceada_12345_99666_99777_lab.ipynb may be the file "99777_lab.ipynb" of lovelaceada_12345, or the file "lab.ipynb" of a
student who chose the display name "lovelaceada_12345". The second reading counts if its upload number may be one: Canvas
counts uploads, so those of one download are near each other, and no two files have the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from labkit.grade.intake.names import CANVAS, LONGEST, student_in
from labkit.grade.intake.submission import Submission
from labkit.grade.intake.tree import File
from labkit.student.model.text import some

NUMBER = re.compile(r"(\d+)_")
NEAR = 10  # the upload numbers of one download differ at most by this factor
NAMED = 10  # files named in a line


@dataclass(frozen=True)
class _Name:
    student: str  # in the first reading
    numbers: tuple[str, ...]  # the user's, the upload's, and those that follow
    students: tuple[str, ...]  # in the readings that begin with each of these numbers


def two_readings(files: Collection[File]) -> dict[str, tuple[str, ...]]:
    """Return the students in all readings, first reading first, of each file name with more than one."""
    names = {file.name: found for file in files if (found := _parsed(file.name))}
    uploads = [int(each.numbers[1]) for each in names.values() if len(each.numbers) == 2]
    uploads = uploads or [int(each.numbers[1]) for each in names.values()]
    count = Counter(number for each in names.values() for number in {*each.numbers[2:]})
    common = {number for number, times in count.items() if times > 1 and 2 * times > len(names)}
    readings = {name: (each.student, *_others(each, uploads, common)) for name, each in names.items()}
    return {name: students for name, students in readings.items() if len(students) > 1}


def _parsed(name: str) -> _Name | None:
    found = CANVAS.fullmatch(name) if len(name) <= LONGEST else None
    if not found or not found["upload"] or not found["user"]:
        return None
    numbers, at = [], found.start("user")
    while (number := NUMBER.match(name, at)) and number.end() < len(name):
        numbers.append(number)
        at = number.end()
    return _Name(student_in(found), tuple(each[1] for each in numbers), tuple(name[: each.end(1)] for each in numbers))


def _others(name: _Name, uploads: Collection[int], common: Collection[str]) -> Iterator[str]:
    """Yield the students in the further readings that count."""
    for student, upload in zip(name.students[1:], name.numbers[2:]):
        near = min(uploads) <= NEAR * int(upload) and int(upload) <= NEAR * max(uploads)
        if near and not upload.startswith("0") and upload not in common:
            yield student


def told_apart(submission: Submission, readings: Mapping[str, tuple[str, ...]], name: str) -> Submission:
    """Give a file whose name has two readings a row of its own, named by the last reading."""
    return submission.read_as(readings[name]) if name in readings else submission


def doubtful(submissions: Iterable[Submission]) -> Iterator[str]:
    """Yield a line for the submissions that keep a row of their own, because their names have two readings."""
    rows = sorted(
        {f"{each.student} ({' or '.join(each.readings)})" for each in submissions if each.student in each.readings}
    )
    if rows:
        yield (
            f"Canvas's names of these files have two readings, so each has a row of its own ({len(rows):,}): {some(rows, NAMED)}. "
            "Look in Canvas who submitted them."
        )
