"""Put the student's answers into the reference notebook. The result is run and graded.

Only two things come from a submission: the cells that answer an exercise, and the cells that the student added. All other
cells come from the reference, so deleting or editing them has no effect. Outputs are left out: what a check would show is
computed by the grader, from the answer's public calls.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain

from labkit.grade.intake.answer_cells import changed_kinds, find_answers, is_written, same_source, unframed
from labkit.grade.intake.fast_nbformat import NotebookNode, from_dict
from labkit.grade.intake.handout import SETUP, Handout, handout
from labkit.grade.intake.notebooks import Cell, Notebook
from labkit.student.calls.earlier import CALL, RECORDED
from labkit.student.model.course import Lab
from labkit.student.model.project import Project

MARKER = re.compile(r"^([ \t]*#[# \t]*)(?=(?:NBVAL|PYTEST_VALIDATE)_[A-Z_]+[ \t]*$)", re.MULTILINE)


@dataclass(frozen=True)
class Assembled:
    """The cells to run, and the answers found in the submission."""

    lab: Lab
    cells: tuple[NotebookNode, ...]
    untouched: frozenset[str] = frozenset()  # exercises left as released, emptied or deleted
    written: Mapping[str, str] = field(default_factory=dict)  # the text of each written answer
    attached: Mapping[str, str] = field(default_factory=dict)  # the pictures in written answers, as data URLs by name
    code: Mapping[str, str] = field(default_factory=dict)  # the source of each code answer that differs from the stub
    # The kind of each code answer's cell that is not code any more.
    changed: Mapping[str, str] = field(default_factory=dict)

    def defining_cells(self) -> list[NotebookNode]:
        """Cells that answers depend on: the setup, the answers and the student's added cells."""
        return [cell for cell in self.cells if cell.cell_type == "code" and cell.metadata.labkit.defines]

    def judged_cells(self) -> list[NotebookNode]:
        """Cells that can change a result. The course's display-only cells are left out."""
        return [cell for cell in self.cells if cell.cell_type == "code" and not cell.metadata.labkit.get("shows")]

    def answered_by_grader(self, project: Project, exercises: Collection[str]) -> Assembled:
        """Copy the notebook, following these exercises' answers with functions that ask the grader. Their helpers stay."""
        handed_out = handout(project, self.lab.name).sources
        return self._with(exercises, lambda cell, name: [cell, _with_line(cell, handed_out[cell.id], CALL, name)])

    def recorded(self, exercises: Collection[str]) -> Assembled:
        """Copy the notebook, recording in the kernel all calls of these exercises' answers."""
        return self._with(exercises, lambda cell, name: [_with_line(cell, cell.source, RECORDED, name)])

    def _with(
        self, exercises: Collection[str], cells_of: Callable[[NotebookNode, str], list[NotebookNode]]
    ) -> Assembled:
        """Copy the notebook with other cells for these exercises."""
        named = [(cell, _exercise_of(cell)) for cell in self.cells]
        cells = (cells_of(cell, name) if name and name in exercises else [cell] for cell, name in named)
        return replace(self, cells=tuple(chain.from_iterable(cells)))


def _with_line(cell: NotebookNode, source: str, line: str, name: str) -> NotebookNode:
    return NotebookNode(cell, source=f"{source}\n\n{line.format(name=name)}")


def _exercise_of(cell: NotebookNode) -> str | None:
    name: str | None = cell.metadata.get("labkit", {}).get("exercise")
    return name


@cache
def reference_cells(project: Project, lab: Lab) -> tuple[NotebookNode, ...]:
    """Read the solution's cells, without outputs and without code that only displays something."""
    path = project.solutions / f"{lab.name}.ipynb"
    if not path.exists():
        raise FileNotFoundError(f"{path.name} is missing from {path.parent.name}/: run `make build`")
    solution = from_dict(json.loads(path.read_text("utf-8")))
    for cell in solution.cells:
        cell.source = "".join(cell.source)
        if cell.cell_type == "code":
            exercise, cell.outputs = _exercise_of(cell), []
            defines = bool(exercise) or cell.id == SETUP
            cell.source = cell.source if defines else _definitions(cell.source)
            cell.metadata["labkit"] = {"defines": defines, "exercise": exercise, "shows": not cell.source}
    return tuple(solution.cells)


def _definitions(source: str) -> str:
    """Keep the statements that can define a name for later cells. Bare expressions only display something."""
    try:
        tree = ast.parse(source)
    except SyntaxError:  # IPython syntax
        return source
    kept = [statement for statement in tree.body if not isinstance(statement, ast.Expr)]
    return source if len(kept) == len(tree.body) else "\n".join(map(ast.unparse, kept))


def assemble(project: Project, submitted: Notebook) -> Assembled:
    """Assemble the cells to run for a submission. This always succeeds: an exercise without an answer keeps its stub."""
    lab = project.course.labs[submitted.lab_name]
    released = handout(project, lab.name)
    answers = find_answers(released, submitted)
    added = _added_cells(submitted, answers, released)
    cells: list[NotebookNode] = [*added.get("", ())]
    untouched: set[str] = set()
    written: dict[str, str] = {}
    attached: dict[str, str] = {}
    code: dict[str, str] = {}
    for cell in reference_cells(project, lab):
        if name := _exercise_of(cell):
            answer = answers.get(name)
            if answer is None or not is_written(answer, released.copies(cell.id)):
                untouched.add(name)
            source = answer.source if answer else released.sources[cell.id]
            if cell.cell_type == "markdown":
                written[name] = "" if name in untouched else unframed(source)
                pictures = answer.pictures.items() if answer else ()
                attached |= {picture: data for picture, data in pictures if picture in written[name]}
            elif name not in untouched:
                code[name] = source
            cell = _student_cell(cell.cell_type, cell.id, source, name)
        cells += [cell, *added.get(cell.id, ())]
    changed = changed_kinds(released, submitted) if untouched else {}
    return Assembled(lab, tuple(cells), frozenset(untouched), written, attached, code, changed)


def with_code(project: Project, lab: Lab, code: Mapping[str, str]) -> Assembled:
    """Assemble the cells for answers whose code was stored. Cells that the student added were not."""
    code = {name: source.replace("\r\n", "\n").strip("\n").rstrip() for name, source in code.items()}
    handed_out, cells = handout(project, lab.name).sources, []
    for cell in reference_cells(project, lab):
        if name := _exercise_of(cell):
            cell = _student_cell(cell.cell_type, cell.id, code.get(name, handed_out[cell.id]), name)
        cells.append(cell)
    return Assembled(lab, tuple(cells), code=code)


def _added_cells(notebook: Notebook, answers: Mapping[str, Cell], handed_out: Handout) -> dict[str, list[NotebookNode]]:
    """The student's added code cells, grouped by the id of the known cell before them ("" at the start)."""
    taken = {id(cell): name for name, cell in answers.items()}
    added: dict[str, list[NotebookNode]] = {}
    after, edited_setup = "", None
    for number, cell in enumerate(notebook.cells):
        own = cell.id if cell.id in handed_out.sources else ""
        known = taken.get(id(cell)) or own or handed_out.by_source.get(cell.source.strip(), "")
        untouched = known in (*answers, SETUP) and any(
            same_source(cell.source, copy) for copy in handed_out.copies(known)
        )
        is_duplicate = known in answers and id(cell) not in taken and not untouched
        if known == SETUP and cell.kind == "code" and not untouched:
            edited_setup = cell
        if known and not is_duplicate:
            after = known
        elif cell.kind == "code" and cell.source.strip():
            added.setdefault(after, []).append(_student_cell("code", f"added-{number}", cell.source))
    if edited_setup:
        added.setdefault(SETUP, []).insert(0, _student_cell("code", "added-setup", edited_setup.source))
    return added


def _student_cell(kind: str, name: str, source: str, exercise: str | None = None) -> NotebookNode:
    """Make a cell with a student's source; code is without marks that would make nbval skip it."""
    cell: dict[str, object] = {"cell_type": kind, "id": name, "metadata": {}, "source": source}
    if kind == "code":
        cell["source"] = MARKER.sub(r"\1not a marker here: ", source)
        cell["metadata"] = {"labkit": {"defines": True, "exercise": exercise}}
        cell |= {"outputs": [], "execution_count": 1}
    node: NotebookNode = from_dict(cell)
    return node
