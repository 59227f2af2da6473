"""Choose which of a student's files counts for each lab. Every candidate is read first; no code runs.

The rules apply in this order:
1. Readable files win over unreadable ones, and edited notebooks over untouched copies.
2. The latest attempt counts: by the numbers or times in the download, else by modification time. Times less than a minute apart
   count as equal, because unpacking an archive takes time.
3. The file with the most answers counts; then the file name decides.

If a student has very many files, only the newest are read. A notebook that is not a lab is ignored if the student also submitted
a lab.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from labkit.grade.intake.answer_cells import answered, find_answers
from labkit.grade.intake.discover import LABKIT
from labkit.grade.intake.files import Refusal, read_notebook
from labkit.grade.intake.handout import handout
from labkit.grade.intake.notebooks import Notebook, lab_in_name, parse_notebook
from labkit.grade.intake.owners import or_changed
from labkit.grade.intake.submission import Submission
from labkit.grade.intake.tree import visible
from labkit.student.model.budgets import Budgets
from labkit.student.model.course import Course
from labkit.student.model.project import Project

UNPACKED_WITHIN = 60.0  # seconds
OWN_COPY = "-checkpoint"  # in the name of Jupyter's own copy of a file
MOST = 10  # maximum number of a student's files that are read for each lab in the file name, newest first


def choose(project: Project, found: Iterable[Submission], budgets: Budgets) -> list[Submission]:
    """Return one submission per student and lab, and one per student without a notebook, sorted by student and lab."""
    files: dict[str, list[Submission]] = defaultdict(list)
    for each in found:
        if each.by != LABKIT:
            files[each.student].append(each)
    chosen = (each for own in files.values() for each in _of_student(project, own, budgets))
    return sorted(chosen, key=lambda each: (each.student, each.lab))


def _of_student(project: Project, files: Iterable[Submission], budgets: Budgets) -> Iterator[Submission]:
    """Yield one student's submissions that count."""
    named: dict[str | None, list[Submission]] = defaultdict(list)
    candidates: dict[str, list[Submission]] = defaultdict(list)
    unread: dict[str | None, list[str]] = defaultdict(list)
    for each in files:
        if each.path is None:
            yield replace(each, refusal=Refusal("not_a_lab", f"no notebook was submitted (found: {each.instead})"))
        else:
            named[lab_in_name(project.course, each.notebook_path.stem)].append(each)
    for lab, several in named.items():
        newest = several
        if len(several) > MOST:
            newest = sorted(several, key=lambda each: (-each.order, -_changed(each), each.file))
        unread[lab] = [each.file for each in newest[MOST:]]
        for candidate in (_read(project, each, budgets) for each in newest[:MOST]):
            candidates[candidate.lab].append(candidate)
    beside = _set_aside(candidates)
    for lab, read in candidates.items():
        own = best(read, project.course.names)
        others = [each.file for each in read if each is not own]
        in_time = sorted(read, key=lambda each: (each.order, each.changed, each.file))
        counted = in_time.index(own) + 1 + len(unread[lab])
        own = or_changed(own, own.changed).passing_over(others + sum(unread.values(), beside[lab]))
        yield replace(own, attempt=max(own.attempt, counted))


def _set_aside(candidates: dict[str, list[Submission]]) -> dict[str, list[str]]:
    """Remove files that count only if there is nothing better: notebooks that are not labs, and untouched labs in a repository.

    Returns the names of the removed files under the student's first lab, whose row lists them.
    """
    readable = sorted(lab for lab, several in candidates.items() if any(not each.refusal for each in several))
    with_answers = sorted(lab for lab, several in candidates.items() if any(each.answers for each in several))
    aside: dict[str, list[str]] = defaultdict(list)
    for lab, own in list(candidates.items()):
        is_scratch = readable and all(each.refusal and each.refusal.status == "not_a_lab" for each in own)
        is_repository = all(each.by == "repository" and not each.refusal for each in own)
        is_handout = with_answers and lab not in with_answers and is_repository
        if is_scratch or is_handout:
            aside[(with_answers or readable)[0]] += (each.file for each in own)
            del candidates[lab]
    return aside


def digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _read(project: Project, file: Submission, budgets: Budgets) -> Submission:
    """Read and parse a file."""
    file = replace(file, changed=_changed(file))
    stem, digest = file.notebook_path.stem, ""
    content = read_notebook(file.notebook_path, budgets)
    found: Notebook | Refusal
    if isinstance(content, Refusal):
        found = content
    else:
        found, digest = parse_notebook(project, content, stem, budgets), digest_of(content)
    if isinstance(found, Refusal):
        lab = lab_in_name(project.course, stem) or visible(stem)
        return replace(file, lab=lab, digest=digest, refusal=found)
    handed_out = handout(project, found.lab_name)
    answers = answered(handed_out, find_answers(handed_out, found))
    return replace(file, lab=found.lab_name, digest=digest, language=found.language, answers=answers)


def _changed(each: Submission) -> float:
    try:
        return each.notebook_path.lstat().st_mtime
    except OSError:
        return 0.0


def best(submissions: Sequence[Submission], labs: Iterable[str]) -> Submission:
    """Choose which of the submissions by one student or group counts for a lab."""
    first = min(_rank(each, labs) for each in submissions)
    level = [each for each in submissions if _rank(each, labs) == first]
    order = max(each.order for each in level)
    level = [each for each in level if each.order == order]
    latest = max(each.changed for each in level)
    return min((each for each in level if each.changed > latest - UNPACKED_WITHIN), key=_tie_break)


def _rank(each: Submission, labs: Iterable[str]) -> tuple[bool, ...]:
    """The sort key that is compared before the time of submission: what the file contains, then its name. The smallest is best."""
    name = each.notebook_path.stem
    another = any(lab in name for lab in labs if lab != each.lab)
    return each.refusal is not None, each.answers == 0, name.endswith(OWN_COPY), another


def _tie_break(each: Submission) -> tuple[int, bool, int, str]:
    """The sort key for submissions that are equal in `_rank` and in time."""
    return -each.answers, each.notebook_path.stem != each.lab, each.file.count("/"), each.file


def of_lab(course: Course, submissions: Iterable[Submission], lab: str) -> Iterator[Submission]:
    """Select the submissions for one lab, and those whose lab is unknown."""
    return (each for each in submissions if each.lab == lab or each.lab not in course.names)


def solution_of(project: Project, lab: str) -> Submission:
    """Read the lab's solution as a submission."""
    path = project.solutions / f"{lab}.ipynb"
    return Submission("", lab, path, path.name, digest=digest_of(path.read_bytes()))
