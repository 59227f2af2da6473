"""Write student feedback as a zip to upload to an LMS. Its files are named like the submissions downloaded from the LMS.

| form | name in the zip | content |
|---|---|---|
| canvas-feedback | `lovelaceada_12345_67890_lab-1.ipynb` | the feedback as a notebook, or as comments for a script: Canvas shows it under the name of the submitted file |
| moodle-feedback | `Ada Lovelace_12345_assignsubmission_file/feedback.html` | the student's page |
| brightspace-feedback | `101-9 - Ada Lovelace - Sep 24, 2024 926 PM/feedback.html` | the student's page |
| moodle-feedback, for a group | `Group A_1_assignsubmission_file/feedback.html` | a member's page, with the group's name |

Canvas uses the two numbers in the name to find the student and the attachment; Moodle uses its one number to find the
participant, or all members of the group; Brightspace, the folder. A group gets no file if its members' points or decisions differ, because each
member would see another's.
"""

from __future__ import annotations

import re
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import nbformat
from markupsafe import escape

from labkit.desk.lms.table import NUMBERS, Export
from labkit.desk.pages.feedback import phrase
from labkit.desk.pages.students import file_of
from labkit.desk.people import score_store
from labkit.desk.people.final_score import FinalScore
from labkit.grade.batch.store import whole
from labkit.grade.judge.results import NOT_HANDED_IN

FORMS = {"canvas-feedback": "canvas", "moodle-feedback": "moodle", "brightspace-feedback": "brightspace"}
FOLDER, PAGE = "_assignsubmission_", "feedback.html"
LANGUAGE, TITLE = re.compile(r'<html lang="(\w+)"'), re.compile(r"<title>(.*?)</title>", re.DOTALL)
WHEN = (1980, 1, 1, 0, 0, 0)  # time of each file in the zip, so that the same feedback always gives the same bytes


def write(form: str, rows: Iterable[FinalScore], results: Path, out: Path) -> Export:
    """Write the zip from the student pages in the results folder.

    Errors: UserError if the zip would be empty, OSError.
    """
    lms, rows = FORMS[form], [*rows]
    files, export = _chosen(lms, rows, _personal(kept.final_scores if (kept := score_store.earlier(results)) else rows))
    content = _attachment if lms == "canvas" else _page
    pages = [*_pages(files, results / "students", content, export)]
    if not pages:
        others = sorted({row.result.submission.source for row in rows} & {*FORMS.values()} - {lms})
        hint = f"; for {others[0].capitalize()}, use --to {others[0]}-feedback" if others else ""
        raise export.nothing(
            f"{results}: no feedback to return through {lms.capitalize()}, so no zip was written{hint}"
        )
    with whole(out, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in pages:
            archive.writestr(zipfile.ZipInfo(name, WHEN), data, zipfile.ZIP_DEFLATED)
    export.filled = len(pages)
    if lms == "moodle":
        export.notes.append(
            "if you also upload a grading worksheet, upload it first: after this zip, Moodle skips its rows"
        )
    return export


@dataclass
class _File:
    """A file of the zip: the student whose page it is, and the group's name if all its members receive it."""

    row: FinalScore
    group: str = ""


def _chosen(lms: str, rows: Iterable[FinalScore], personal: Mapping[str, list]) -> tuple[dict[str, _File], Export]:
    """Choose the files of the zip, and note the students who get none."""
    export, without, shared, no_number, groups = Export(), [], [], [], defaultdict[str, list[FinalScore]](list)
    files: dict[str, _File] = {}
    for row in rows:
        by, name = row.result.submission.source, _name(row, lms)
        if by == lms and name:
            files[name] = _File(row)
        elif by.startswith(f"{lms}, submitted by group ") and name:
            groups[name].append(row)
        elif lms == "moodle" and by.startswith(lms) and FOLDER in row.result.submission.file:
            (shared if name else no_number).append(row.student)
        elif by.startswith(f"{lms}, "):
            shared.append(row.student)
        elif row.result.status != NOT_HANDED_IN:
            without.append(row.student)
    differ = []
    for name, own in groups.items():
        if all(personal[row.student] == personal[own[0].student] for row in own):
            files[name] = _File(own[0], own[0].result.submission.submitter.removeprefix("group "))
        else:
            differ += [row.student for row in own]
    where = "their own pages are in students/"
    export.note(f"left out because another member of their group submitted; {where}", shared)
    export.note(
        f"left out because Moodle cannot match a group's folder without a number to students; {where}", no_number
    )
    export.note(
        f"left out because {lms.capitalize()} would show one page to the whole group, but points or decisions differ "
        f"between its members; {where}",
        differ,
    )
    export.note(f"left out because they have no notebook from {lms.capitalize()}; {where}", without)
    return files, export


def _personal(rows: Iterable[FinalScore]) -> dict[str, list]:
    """What each student's page shows of all their labs: the submission, the points, and the decisions of people."""
    found = defaultdict[str, list](list)
    for row in rows:
        read = {exercise: (mark.points, mark.comment) for exercise, mark in row.readings.items()}
        decided = row.final, row.penalty, row.why_late, [*map(str, row.adjustments)], read
        found[row.student].append((row.lab, row.result.status, row.seen.answers.get(""), decided))
    return found


def _pages(
    files: dict[str, _File], pages: Path, content: Callable[[Path, str], bytes], export: Export
) -> Iterator[tuple[str, bytes]]:
    lost = []
    for name, file in sorted(files.items()):
        try:
            page = content(pages / file_of(file.row.student), name)
            yield name, _for_group(page, file.group) if file.group else page
        except FileNotFoundError:
            lost.append(file.row.student)
    export.note("left out because their pages are missing: grade again", lost)


def _for_group(page: bytes, group: str) -> bytes:
    """Put the group's name in place of the student's, in the title and the heading."""
    text = page.decode("utf-8")
    language, title = LANGUAGE.search(text), TITLE.search(text)
    if not language or not title:
        return page
    own = str(escape(phrase("title", language[1], name=group)))
    return text.replace(f">{title[1]}</", f">{own}</").encode()


def _name(row: FinalScore, lms: str) -> str:
    """The file name that the LMS expects; "" if the file is not from a download of this LMS, or has no number."""
    file = row.result.submission.file
    if not NUMBERS[lms].search(file):
        return ""
    parts = PurePosixPath(file).parts
    if lms == "canvas":
        return parts[-1]
    if lms == "brightspace":
        return f"{next(part for part in parts if NUMBERS[lms].search(f'{part}/'))}/{PAGE}"
    place = next(at for at, part in enumerate(parts) if FOLDER in part)
    folder, _, kind = parts[place].rpartition(FOLDER)
    return f"{folder}{FOLDER}{kind.split('_')[0]}/{PAGE}"


def _page(path: Path, _: str) -> bytes:
    return path.with_name(f"{path.name}.html").read_bytes()


def _attachment(path: Path, name: str) -> bytes:
    """The feedback as a file of the kind that the student submitted: a notebook, or a script of comments."""
    text = path.with_name(f"{path.name}.md").read_text("utf-8")
    if name.lower().endswith(".py"):
        return "".join(f"# {line}".rstrip() + "\n" for line in text.splitlines()).encode()
    cell = nbformat.v4.new_markdown_cell(text, id="feedback")
    return nbformat.writes(nbformat.v4.new_notebook(cells=[cell])).encode()
