"""Write student feedback as a zip to upload to an LMS. Its files are named like the submissions downloaded from the LMS.

| form | name in the zip | content |
|---|---|---|
| canvas-feedback | `lovelaceada_12345_67890_lab-1.ipynb` | the feedback as a notebook: Canvas shows it under the name of the submitted file |
| moodle-feedback | `Ada Lovelace_12345_assignsubmission_file/feedback.html` | the student's page |

Canvas uses the two numbers in the name to find the student and the attachment; Moodle uses its one number to find the
participant.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath

import nbformat

from labkit.desk.score_store import Row
from labkit.exports.joining import NUMBERS, Export
from labkit.grading.cache import whole
from labkit.judge.results import NOT_HANDED_IN
from labkit.reports.students import file_of

FORMS = {"canvas-feedback": "canvas", "moodle-feedback": "moodle"}
PAGE = "feedback.html"
WHEN = (1980, 1, 1, 0, 0, 0)  # time of each file in the zip, so that the same feedback always gives the same bytes


def write(form: str, rows: Iterable[Row], results: Path, out: Path) -> Export:
    """Write the zip from the student pages in the results folder. Errors: OSError."""
    lms, export, without, shared = FORMS[form], Export(), [], []
    content = _notebook if lms == "canvas" else _page
    names: dict[str, Row] = {}
    for row in rows:
        if name := _name(row, lms):
            names[name] = row
        elif str(row.result.get("by", "")).startswith(f"{lms}, "):
            shared.append(row.student)
        elif row.status != NOT_HANDED_IN:
            without.append(row.student)
    with whole(out, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in _files(names, results / "students", content, export):
            archive.writestr(zipfile.ZipInfo(name, WHEN), data, zipfile.ZIP_DEFLATED)
            export.filled += 1
    export.note("left out because another member of their group submitted; their own pages are in students/", shared)
    export.note(
        f"left out because they have no notebook from {lms.capitalize()}; their pages are in students/", without
    )
    return export


def _files(
    names: dict[str, Row], pages: Path, content: Callable[[Path], bytes], export: Export
) -> Iterator[tuple[str, bytes]]:
    lost = []
    for name, row in sorted(names.items()):
        try:
            yield name, content(pages / file_of(row.student))
        except FileNotFoundError:
            lost.append(row.student)
    export.note("left out because their pages are missing: grade again", lost)


def _name(row: Row, lms: str) -> str:
    """The file name that the LMS expects; "" if the submission is not from a download of this LMS."""
    file = str(row.result.get("file", ""))
    if row.result.get("by") != lms or not NUMBERS[lms].search(file):
        return ""
    parts = PurePosixPath(file).parts
    if lms == "canvas":
        return parts[-1]
    place = next(at for at, part in enumerate(parts) if "_assignsubmission_" in part)
    folder, _, kind = parts[place].rpartition("_assignsubmission_")
    return f"{folder}_assignsubmission_{kind.split('_')[0]}/{PAGE}"


def _page(path: Path) -> bytes:
    return path.with_name(f"{path.name}.html").read_bytes()


def _notebook(path: Path) -> bytes:
    text = path.with_name(f"{path.name}.md").read_text("utf-8")
    cell = nbformat.v4.new_markdown_cell(text, id="feedback")
    return nbformat.writes(nbformat.v4.new_notebook(cells=[cell])).encode()
