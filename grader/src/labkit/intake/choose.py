"""Which of a student's files counts for which lab. Each is read first; nothing is run, and nothing is taken on faith.

What is in them decides. A file that cannot be read never counts before one that can, and the copy that was handed out
never before one with answers. Then the one handed in last counts: as the download tells it, else by the time of change,
but only where two lie further apart than unpacking an archive puts them; else the one with more answers counts, then the
name. Of very many only the newest are read. A notebook that is none of the labs is no hand-in beside one that is.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from labkit.intake.answer_cells import answered
from labkit.intake.discover import Entry
from labkit.intake.files import Refusal, read_notebook
from labkit.intake.notebooks import parse_notebook
from labkit.intake.tree import visible
from labkit.model import course, project
from labkit.model.budgets import Budgets

UNPACKED_WITHIN = 60.0  # seconds between the files of one student, however slowly an archive is unpacked
UNTIMED = ("canvas",)  # downloads in which all files carry the time of the download
OWN_COPY = "-checkpoint"  # how Jupyter names the copy that it keeps of a file
MOST = 10  # files of one student that are read: the newest of those named after one lab, and of those named after none
NAMED = 100  # files passed over that a row names; of more it says how many


@dataclass(frozen=True)
class Chosen:
    """What counts for a student and a lab: a file that can be judged, by the digest of its bytes, or a refusal."""

    student: str
    lab: str
    entry: Entry
    digest: str = ""
    refusal: Refusal | None = None
    passed_over: tuple[str, ...] = ()  # the student's other files for this lab
    submitted_at: str | None = None  # as the download says, else its time of change: UTC, whole seconds, ISO 8601
    by_change: bool = False  # whether that is only the file's time of change, which may be the download's own
    late: bool | None = None  # as the LMS marks it; None where it marks nothing
    attempt: int = 0  # as the download counts, else 1 for the first of these files by that time; 0 where there is none
    language: str = "en"  # of the notebook


@dataclass(frozen=True)
class _Candidate:
    entry: Entry
    lab: str
    digest: str
    refusal: Refusal | None
    changed: float
    answers: int = 0
    language: str = "en"

    def final_score(self) -> tuple[bool, ...]:
        """What is in it and what it is called, best first when sorted: this comes before when it was handed in."""
        name = self.entry.path.stem
        another = any(lab in name for lab in course.current().names if lab != self.lab)
        return self.refusal is not None, self.answers == 0, name.endswith(OWN_COPY), another

    def further(self) -> tuple:
        """What decides when nothing else does."""
        name = self.entry.file
        return -self.answers, self.entry.path.stem != self.lab, name.count("/"), name


def choose(entries: Iterable[Entry], budgets: Budgets) -> list[Chosen]:
    """One for each student and lab, and one for each student without a notebook; sorted by student and lab."""
    chosen, found, groups, unread = [], defaultdict(list), defaultdict(list), defaultdict(list)
    for entry in entries:
        if entry.path is None:
            refusal = Refusal("not_a_lab", f"no notebook was handed in (found: {entry.found})")
            when = _written(entry.submitted)
            chosen.append(Chosen(entry.student, "", entry, refusal=refusal, submitted_at=when, late=entry.late))
        else:
            found[entry.student, _lab_named(entry)].append(entry)
    for (student, named), several in found.items():
        newest = sorted(several, key=_newest_first) if len(several) > MOST else several
        unread[student] += ((named, entry.file) for entry in newest[MOST:])
        for candidate in (_read(entry, budgets) for entry in newest[:MOST]):
            groups[student, candidate.lab].append(candidate)
    beside = _set_aside(groups)
    for (student, lab), candidates in groups.items():
        best = _best(candidates)
        others = [each.entry.file for each in candidates if each is not best] + [file for _, file in unread[student]]
        others += beside.get((student, lab), ())
        in_time = sorted(candidates, key=lambda each: (each.entry.order, each.changed, each.entry.file))
        counted = in_time.index(best) + 1 + sum(named == lab for named, _ in unread[student])
        by_change = best.entry.submitted is None and best.entry.by not in UNTIMED
        changed = best.changed if best.entry.changed is None else best.entry.changed
        when = _written(changed if by_change else best.entry.submitted), by_change, best.entry.late
        count = max(best.entry.attempt, counted), best.language
        chosen.append(Chosen(student, lab, best.entry, best.digest, best.refusal, _some(sorted(others)), *when, *count))
    return sorted(chosen, key=lambda each: (each.student, each.lab))


def _set_aside(groups: dict[tuple[str, str], list[_Candidate]]) -> dict[tuple[str, str], list[str]]:
    """Take out what is no hand-in beside one: a notebook that is no lab, and in a repository a lab as it was handed out.

    Their files, by the first lab of the same student.
    """
    answered_labs: dict[str, list[str]] = defaultdict(list)
    labs: dict[str, list[str]] = defaultdict(list)
    for (student, lab), candidates in sorted(groups.items()):
        if any(each.refusal is None for each in candidates):
            labs[student].append(lab)
        if any(each.answers for each in candidates):
            answered_labs[student].append(lab)
    aside = defaultdict(list)
    for (student, lab), candidates in list(groups.items()):
        is_scratch = labs[student] and all(each.refusal and each.refusal.status == "not_a_lab" for each in candidates)
        is_handout = answered_labs[student] and all(
            each.entry.by == "repository" and not each.refusal and not each.answers for each in candidates
        )
        if is_scratch or is_handout:
            kept = answered_labs[student] or labs[student]
            aside[student, kept[0]] += (each.entry.file for each in candidates)
            del groups[student, lab]
    return aside


def _newest_first(entry: Entry) -> tuple:
    return -entry.order, -_changed(entry), entry.file


def _lab_named(entry: Entry) -> str | None:
    """The lab in the file's name."""
    return next((lab for lab in course.current().names if lab in entry.path.stem), None)


def _some(files: list[str]) -> tuple[str, ...]:
    return (*files[:NAMED], *([f"and {len(files) - NAMED:,} more"] if len(files) > NAMED else []))


def digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _read(entry: Entry, budgets: Budgets) -> _Candidate:
    found, digest = read_notebook(entry.path, budgets), ""
    if not isinstance(found, Refusal):
        found, digest = parse_notebook(found, entry.path.stem, budgets), digest_of(found)
    if isinstance(found, Refusal):
        lab = _lab_named(entry) or visible(entry.path.stem)
        return _Candidate(entry, lab, digest, found, _changed(entry))
    return _Candidate(entry, found.lab_name, digest, None, _changed(entry), answered(found), found.language)


def _changed(entry: Entry) -> float:
    try:
        return entry.path.lstat().st_mtime
    except OSError:
        return 0.0


def _written(changed: float | None) -> str | None:
    """A time as ISO 8601 writes it; None where it is not known, or of no year that a calendar has."""
    try:
        return datetime.fromtimestamp(int(changed), UTC).isoformat().replace("+00:00", "Z") if changed else None
    except (ValueError, OverflowError, OSError):
        return None


def _best(candidates: list[_Candidate]) -> _Candidate:
    first = min(candidate.final_score() for candidate in candidates)
    level = [candidate for candidate in candidates if candidate.final_score() == first]
    order = max(candidate.entry.order for candidate in level)
    level = [candidate for candidate in level if candidate.entry.order == order]
    latest = max(candidate.changed for candidate in level)
    last = [candidate for candidate in level if candidate.changed > latest - UNPACKED_WITHIN]
    return min(last, key=_Candidate.further)


def of_lab(chosen: Iterable[Chosen], lab: str) -> Iterator[Chosen]:
    """Those of one lab, and those whose lab nobody can tell."""
    return (each for each in chosen if each.lab == lab or each.lab not in course.current().names)


def solution_of(lab: str) -> Chosen:
    """The lab's own solution, as a submission."""
    path = project.current().solutions / f"{lab}.ipynb"
    return Chosen("", lab, Entry("", path, path.name), digest_of(path.read_bytes()))
