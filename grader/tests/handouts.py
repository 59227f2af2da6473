"""Submissions made from the current course's labs, and small budgets for quick ones."""

from __future__ import annotations

import json
from pathlib import Path

from labkit.grade.intake.notebooks import Notebook, parse_notebook
from labkit.student.model import project
from labkit.student.model.budgets import Budgets

QUICK = Budgets(cell_seconds=4, notebook_seconds=60)


class Handout:
    """A student's copy of a lab, to fill in and submit. `cells` are plain dicts in notebook order."""

    def __init__(self, lab: str, solved: bool = False):
        self.lab = lab
        folder = project.current().solutions if solved else project.current().labs
        self.notebook = json.loads((folder / f"{lab}.ipynb").read_text("utf-8"))
        self.cells = self.notebook["cells"]

    def cell(self, name: str) -> dict:
        return next(cell for cell in self.cells if cell.get("id") == name)

    def write(self, name: str, source: str) -> Handout:
        self.cell(name)["source"] = source
        return self

    def insert(self, source: str, *, after: str | None = None, **extra: object) -> Handout:
        """Add a code cell at the start, or after a named one."""
        place = 0 if after is None else self.cells.index(self.cell(after)) + 1
        fresh = {
            "cell_type": "code",
            "source": source,
            "metadata": {},
            "outputs": [],
            "execution_count": None,
            "id": f"new{place}",
        }
        self.cells.insert(place, {**fresh, **extra})
        return self

    def remove(self, *names: str) -> Handout:
        self.cells[:] = [cell for cell in self.cells if cell.get("id") not in names]
        return self

    def as_bytes(self) -> bytes:
        return json.dumps(self.notebook).encode()

    def parsed(self) -> Notebook:
        return parse_notebook(project.current(), self.as_bytes(), self.lab)

    def save(self, path: Path) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.as_bytes())
        return path


def stored_values(lab: str, exercise: str) -> str:
    """Make an answer that returns the stored values of public probes, which a submission can read."""
    return STORED.format(package=project.current().package, lab=lab, name=exercise)


STORED = """def {name}(*args):
    from labkit.student.notebook.expected import expected_of
    from {package} import COURSE
    for probe in COURSE.exercises["{name}"].probes:
        given = probe.inputs()
        if len(given) == len(args) and all(np.array_equal(a, b) for a, b in zip(given, args)):
            if probe.raises:
                raise ValueError
            value = expected_of(COURSE, "{lab}")["{name}"][probe.key]
            return value.astype(COURSE.exercises["{name}"].dtype or value.dtype)[()]
    raise ValueError"""
