"""Names of files in Canvas's downloads, and those with two readings.

lovelaceada_12345_99666_99777_lab.ipynb may be the file "99777_lab.ipynb" of lovelaceada_12345, or the file "lab.ipynb" of a
student who chose the display name "lovelaceada_12345". The second reading counts if its upload number may be one: Canvas
counts uploads, so those of one download are near each other, and no two files have the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise

# Canvas removes all characters except letters, marks, digits and underscores. Its anonymous ids have five characters.
_REST = r"_(?:(?P<order>\d+)_.+?(?:-(?P<again>\d{1,2}))?(?:\.[^.]+)?|(?P<instead>text|link)\.html)"
ANONYMOUS = re.compile(
    rf"(?=(?P<late>LATE_anon_|anon_LATE_)?)(?:LATE_)?anon(?:_LATE)?_(?P<student>[A-Za-z0-9]{{5}}){_REST}", re.DOTALL
)
NAMED = re.compile(
    r"(?P<student>(?:(?!_assignsubmission_)[^\s\x00-/:-@\[-^`{-\x7f])+?)(?P<late>(?i:_late))?_(?P<user>\d+)" + _REST,
    re.DOTALL,
)
NUMBER = re.compile(r"(\d+)_")
NEAR = 10  # the upload numbers of one download differ at most by this factor


def other_readings(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the students in the further readings of each file name that has any."""
    numbers = {name: found for name in names if (found := _numbers(name))}
    sure = [each for each in numbers.values() if len(each) == 2] or [*numbers.values()]
    uploads = [int(upload[1]) for _, upload, *_ in sure]
    count = Counter(number for each in numbers.values() for number in {found[1] for found in each[2:]})
    common = {number for number, times in count.items() if times > 1 and 2 * times > len(numbers)}
    others = {name: (*_others(name, found, uploads, common),) for name, found in numbers.items()}
    return {name: students for name, students in others.items() if students}


def _numbers(name: str) -> list[re.Match[str]]:
    """The user's number in a name, the upload's, and those that follow; empty without an upload."""
    found = None if ANONYMOUS.fullmatch(name) else NAMED.fullmatch(name)
    if not found or not found["order"]:
        return []
    numbers, at = [], found.start("user")
    while (number := NUMBER.match(name, at)) and number.end() < len(name):
        numbers.append(number)
        at = number.end()
    return numbers


def _others(
    name: str, numbers: list[re.Match[str]], uploads: Collection[int], common: Collection[str]
) -> Iterator[str]:
    """Yield the students in the further readings that count."""
    for user, upload in pairwise(numbers[1:]):
        near = min(uploads) <= NEAR * int(upload[1]) and int(upload[1]) <= NEAR * max(uploads)
        if near and not upload[1].startswith("0") and upload[1] not in common:
            yield name[: user.end(1)]
