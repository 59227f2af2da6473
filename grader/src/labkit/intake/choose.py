"""Choose which of a student's files counts for each lab. Every file is read first; none is run.

What is in them decides. A file that cannot be read never counts before one that can, and the copy that was handed out
never before one with answers. Then the one handed in last counts: as the download tells it, else by the time of change,
but only where two lie further apart than unpacking an archive puts them; else the one with more answers counts, then the
name. Of very many only the newest are read. A notebook of no lab is left out beside one of a lab.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from labkit.intake.answer_cells import answered, find_answers
from labkit.intake.files import Refusal, read_notebook
from labkit.intake.fingerprints import LONGEST, fingerprints_of
from labkit.intake.handout import handout
from labkit.intake.notebooks import Notebook, lab_in_name, parse_notebook
from labkit.intake.submission import Submission
from labkit.intake.tree import visible
from labkit.model.budgets import Budgets
from labkit.model.course import Course
from labkit.model.project import Project

UNPACKED_WITHIN = 60.0  # seconds between the files of one student, however slowly an archive is unpacked
OWN_COPY = "-checkpoint"  # how Jupyter names the copy that it keeps of a file
MOST = 10  # files of one student that are read: the newest of those named after one lab, and of those named after none
NAMED = 100  # files passed over that a row names; of more it says how many


@dataclass(frozen=True)
class _Candidate:
    """A file that was read, and what decides whether it counts."""

    submission: Submission
    changed: float
    answers: int = 0
    code: Mapping[str, str] = field(default_factory=dict)  # that answers an exercise, as much as fingerprints look at

    def rank(self, labs: Iterable[str]) -> tuple[bool, ...]:
        """What is in it and what it is called, best first when sorted: this comes before when it was handed in."""
        name, own = self.submission.notebook_path.stem, self.submission.lab
        another = any(lab in name for lab in labs if lab != own)
        return self.submission.refusal is not None, self.answers == 0, name.endswith(OWN_COPY), another

    def tie_break(self) -> tuple[int, bool, int, str]:
        """What decides when nothing else does."""
        name = self.submission.file
        return -self.answers, self.submission.notebook_path.stem != self.submission.lab, name.count("/"), name


def choose(project: Project, found: Iterable[Submission], budgets: Budgets) -> list[Submission]:
    """One for each student and lab, and one for each student without a notebook; sorted by student and lab."""
    files: dict[str, list[Submission]] = defaultdict(list)
    for each in found:
        files[each.student].append(each)
    chosen = (each for own in files.values() for each in _of_student(project, own, budgets))
    return sorted(chosen, key=lambda each: (each.student, each.lab))


def _of_student(project: Project, files: Iterable[Submission], budgets: Budgets) -> Iterator[Submission]:
    """What counts of one student's files: the only ones whose answers are in memory."""
    named: dict[str | None, list[Submission]] = defaultdict(list)
    candidates: dict[str, list[_Candidate]] = defaultdict(list)
    unread: dict[str | None, list[str]] = defaultdict(list)
    for each in files:
        if each.path is None:
            yield replace(each, refusal=Refusal("not_a_lab", f"no notebook was handed in (found: {each.instead})"))
        else:
            named[lab_in_name(project.course, each.notebook_path.stem)].append(each)
    for lab, several in named.items():
        newest = sorted(several, key=_newest_first) if len(several) > MOST else several
        unread[lab] = [each.file for each in newest[MOST:]]
        for candidate in (_read(project, each, budgets) for each in newest[:MOST]):
            candidates[candidate.submission.lab].append(candidate)
    beside = _set_aside(candidates)
    for lab, read in candidates.items():
        best = _best(read, project.course.names)
        own = best.submission.or_changed(best.changed)
        others = [each.submission.file for each in read if each is not best] + sum(unread.values(), beside[lab])
        in_time = sorted(read, key=lambda each: (each.submission.order, each.changed, each.submission.file))
        counted = in_time.index(best) + 1 + len(unread[lab])
        own = replace(own, attempt=max(own.attempt, counted), passed_over=_some(sorted(others)))
        yield replace(own, fingerprints=fingerprints_of(best.code))


def _set_aside(candidates: dict[str, list[_Candidate]]) -> dict[str, list[str]]:
    """Take out what is no hand-in beside one: a notebook that is no lab, and in a repository a lab as it was handed out.

    Their files, by the first lab of this student.
    """
    readable = sorted(
        lab for lab, several in candidates.items() if any(not each.submission.refusal for each in several)
    )
    with_answers = sorted(lab for lab, several in candidates.items() if any(each.answers for each in several))
    aside: dict[str, list[str]] = defaultdict(list)
    for lab, several in list(candidates.items()):
        own = [each.submission for each in several]
        is_scratch = readable and all(each.refusal and each.refusal.status == "not_a_lab" for each in own)
        is_handout = (
            with_answers
            and lab not in with_answers
            and all(each.by == "repository" and not each.refusal for each in own)
        )
        if is_scratch or is_handout:
            aside[(with_answers or readable)[0]] += (each.file for each in own)
            del candidates[lab]
    return aside


def _newest_first(each: Submission) -> tuple[float, float, str]:
    return -each.order, -_changed(each), each.file


def _some(files: list[str]) -> tuple[str, ...]:
    return (*files[:NAMED], *([f"and {len(files) - NAMED:,} more"] if len(files) > NAMED else []))


def digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _read(project: Project, file: Submission, budgets: Budgets) -> _Candidate:
    """A file, read and parsed once: all that is kept of it follows from this."""
    changed, stem, digest = _changed(file), file.notebook_path.stem, ""
    content = read_notebook(file.notebook_path, budgets)
    found: Notebook | Refusal
    if isinstance(content, Refusal):
        found = content
    else:
        found, digest = parse_notebook(project, content, stem, budgets), digest_of(content)
    if isinstance(found, Refusal):
        lab = lab_in_name(project.course, stem) or visible(stem)
        return _Candidate(replace(file, lab=lab, digest=digest, refusal=found), changed)
    handed_out = handout(project, found.lab_name)
    answers = find_answers(handed_out, found)
    code = {name: cell.source[:LONGEST] for name, cell in answers.items() if cell.kind == "code"}
    own = replace(file, lab=found.lab_name, digest=digest, language=found.language)
    return _Candidate(own, changed, answered(handed_out, answers), code)


def _changed(each: Submission) -> float:
    try:
        return each.notebook_path.lstat().st_mtime
    except OSError:
        return 0.0


def _best(candidates: list[_Candidate], labs: Iterable[str]) -> _Candidate:
    first = min(candidate.rank(labs) for candidate in candidates)
    level = [candidate for candidate in candidates if candidate.rank(labs) == first]
    order = max(candidate.submission.order for candidate in level)
    level = [candidate for candidate in level if candidate.submission.order == order]
    latest = max(candidate.changed for candidate in level)
    last = [candidate for candidate in level if candidate.changed > latest - UNPACKED_WITHIN]
    return min(last, key=_Candidate.tie_break)


def of_lab(course: Course, submissions: Iterable[Submission], lab: str) -> Iterator[Submission]:
    """Submissions of one lab, and those whose lab is unknown."""
    return (each for each in submissions if each.lab == lab or each.lab not in course.names)


def solution_of(project: Project, lab: str) -> Submission:
    """The lab's own solution, as a submission."""
    path = project.solutions / f"{lab}.ipynb"
    return Submission("", lab, path, path.name, digest=digest_of(path.read_bytes()))
