"""Dolos: a zip with one Python file for each student of a lab, and info.csv, which names the students.

Each file has the student's code, in the order of the lab's exercises. Dolos ignores code that is also in `template.py`, the
released lab, and accepts one template per zip. It reads the columns of info.csv in `fromCSV` (lib/src/lib/dataset.ts).
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from labkit.desk.final_score import Person
from labkit.desk.score_store import Row
from labkit.desk.sheets import DeskProblem
from labkit.exports.feedback import WHEN
from labkit.exports.joining import Export
from labkit.grading.cache import whole
from labkit.grading.kept_code import KeptCode
from labkit.intake.handout import handout
from labkit.judge.results import NOT_HANDED_IN
from labkit.model.project import Project
from labkit.model.text import for_a_cell, printable
from labkit.reports.students import file_of

COLUMNS = ("filename", "id", "full_name", "status", "created_at", "labels", "exercise_id", "ignored")
TEMPLATE = "template.py"


def write(project: Project, rows: Iterable[Row], results: Path, out: Path) -> Export:
    """Write the zip of one lab's rows, with only the first member of each group. Errors: DeskProblem if there is no code, OSError."""
    export, kept = Export(), KeptCode(results)
    without, shared, groups = [], [], set()
    files: dict[str, str] = {}
    table: list[tuple[str, ...]] = []
    for row in rows:
        person = row.person or Person(row.student)
        if not (code := kept.of(row.student, row.lab)):
            without += [row.student] if row.status != NOT_HANDED_IN else []
        elif person.group and person.group in groups:
            shared.append(row.student)
        else:
            groups.add(person.group)
            if not files:
                files[TEMPLATE] = program(project, row.lab, handout(project, row.lab).sources)
                table.append((TEMPLATE, "", "", "", "", "", row.lab, "true"))
            name = f"students/{file_of(row.student)}.py"
            files[name] = program(project, row.lab, code)
            who = (for_a_cell(printable(text)) for text in (row.student, person.name or row.student))
            when = str(row.result.get("submitted_at") or "")
            table.append((name, *who, row.status, when, for_a_cell(printable(person.section)), row.lab, ""))
            export.filled += 1
    if not files:
        raise DeskProblem(
            f"{results}: the cache has no code from any of the students to export; run the same `labkit grade` command again"
        )
    with whole(out, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in {"info.csv": _as_csv(table), **files}.items():
            content = text.encode("utf-8", "backslashreplace")
            archive.writestr(zipfile.ZipInfo(name, WHEN), content, zipfile.ZIP_DEFLATED)
    export.note("left out because another group member has the file", shared)
    export.note("left out because no code of theirs is stored: they wrote none, or need to be graded again", without)
    return export


def program(project: Project, lab: str, sources: Mapping[str, str]) -> str:
    """Join the code answers, each below a comment with its exercise's name."""
    asked = [each.name for each in project.course.labs[lab].exercises if not each.written and each.name in sources]
    return "\n".join(f"# {name}\n{sources[name].rstrip()}\n" for name in asked)


def _as_csv(table: Iterable[tuple[str, ...]]) -> str:
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(COLUMNS)
    rows.writerows(table)
    return text.getvalue()
