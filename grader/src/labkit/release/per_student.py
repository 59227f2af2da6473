"""Write a notebook for each student in a roster, for labs that draw different values for each student."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable
from pathlib import Path

from labkit.desk.roster import Roster
from labkit.model.course import CourseError, Lab
from labkit.model.parameters import CELL, stated, values_for
from labkit.model.project import Project
from labkit.model.text import printable, shortened


def write_each(project: Project, labs: Iterable[Lab], roster: Roster, out: Path) -> list[Path]:
    """Write `out/STUDENT/LAB.ipynb` for labs that draw values, completely or not at all. Errors: CourseError, OSError."""
    drawing = [lab for lab in labs if lab.parameters]
    if not drawing:
        raise CourseError("none of these labs draws values for each student; to change this, add parameters to a LAB")
    if out.exists() and any(out.iterdir()):
        raise CourseError(f"{out}: this folder is not empty; choose a new one")
    _fit_for_folders(roster.people)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".labkit-release-", dir=out.parent) as making:
        made = Path(making, "each")
        for student in roster.people:
            for lab in drawing:
                _write(project, lab, student, made / student)
        made.chmod(0o755)
        made.rename(out)
    return sorted(out.rglob("*.ipynb"))


def _fit_for_folders(ids: Iterable[str]) -> None:
    odd = [id for id in ids if set(id) & set('/\\\0<>:"|?*') or id.startswith(".") or len(id.encode()) > 100]
    if odd:
        raise CourseError(
            f"the id {shortened(printable(odd[0]), 60)!r} cannot be the name of a folder; change it in the roster"
        )


def _write(project: Project, lab: Lab, student: str, folder: Path) -> None:
    """Write the lab in each of its languages."""
    for path in project.editions_of(lab.name).values():
        notebook = json.loads(path.read_bytes())
        cell = next(each for each in notebook["cells"] if each["id"] == CELL)
        cell["source"] = stated("".join(cell["source"]), lab, student).splitlines(keepends=True)
        notebook["metadata"]["labkit"] |= {"student": student, "parameters": values_for(lab, student)}
        copy = folder / path.relative_to(project.labs)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")
