"""Turn a lab's source, solutions/<lab>.py, into the student notebook and the executed solution notebook.

The source is in percent format. Every cell has a name, which becomes its id. Text between `BEGIN ANSWER` and
`END ANSWER` is the answer; the student notebook has a placeholder instead, and no cells tagged `only-solution`.
"""

from __future__ import annotations

import copy
import os
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path

import nbformat

from labkit.grade.intake.answer_cells import FRAMES
from labkit.student.calls.state import STUBS
from labkit.student.judging.finding import Finding
from labkit.student.judging.words import say
from labkit.student.model.course import Lab
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}\Z")
BEGIN = re.compile(r"^(?P<indent>[ \t]*)(?:#|<!--) BEGIN ANSWER(?: -->)?[ \t]*$", re.MULTILINE)
END = re.compile(r"^[ \t]*(?:#|<!--) END ANSWER(?: -->)?[ \t]*$", re.MULTILINE)
ANSWER = re.compile(rf"(?P<begin>{BEGIN.pattern})\n(?P<answer>(?s:.*?))(?P<end>{END.pattern})", re.MULTILINE)
ONLY_SOLUTION = "only-solution"
WIDGET = "widget"  # the tag of an interactive control, whose outputs are not stored because they contain random ids
HAND_IN = "hand_in"  # the id of the last cell, which explains how to submit and is the same for all labs
KERNEL = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def read_source(path: Path, lab: Lab) -> nbformat.NotebookNode:
    """Read the source as a notebook that still has its answer marks. Errors: UserError."""
    import jupytext

    if not path.exists():
        raise UserError(f"{path.name} is missing from {path.parent.name}/: write it, because the lab is built from it")
    notebook = jupytext.reads(path.read_text("utf-8"), fmt="py:percent")
    cells, seen = [], set()
    for number, cell in enumerate(notebook.cells):
        name, exercise = cell.metadata.get("name"), cell.metadata.get("exercise")
        where = f"{path.name}, cell {name or number}"
        if not isinstance(name, str) or not NAME.match(name):
            raise UserError(f"{where}: every cell needs a name, made of lower-case letters, digits, - and _")
        if name in seen:
            raise UserError(f"{where}: another cell has the same name")
        marks = len(BEGIN.findall(cell.source)), len(END.findall(cell.source))
        if marks[0] != marks[1] or bool(exercise) != bool(marks[0]):
            raise UserError(f"{where}: BEGIN ANSWER and END ANSWER belong in every exercise cell, and in no other cell")
        seen.add(name)
        cells.append(_cell(cell, name, exercise))
    _check_exercises(path, lab, cells)
    metadata = {**copy.deepcopy(KERNEL), "labkit": {"lab": lab.name}}
    return nbformat.v4.new_notebook(cells=cells, metadata=metadata)


def framed(project: Project, source: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Add the course's version to the first cell, and a last cell about how to submit unless the source has one.

    The version is the last line of the cell, or of its folded part, if the cell is Markdown.
    """
    cells, language, version = source.cells, language_of(source), project.version
    hand_in = project.translated(language, "hand_in", project.hand_in)
    if version and cells and cells[0].cell_type == "markdown":
        line = say("", Finding("version", {"version": version}), language)
        text, folded = cells[0].source, "\n</details>"
        end = folded if text.endswith(folded) else ""
        cells[0].source = f"{text.removesuffix(folded)}\n\n<small>{line}</small>" + (f"\n{end}" if end else "")
    if hand_in and not any(cell.id == HAND_IN for cell in cells):
        text = hand_in.strip().replace("{file}", f"{source.metadata['labkit']['lab']}.ipynb")
        cells.append(nbformat.v4.new_markdown_cell(text, id=HAND_IN))
    return source


def language_of(notebook: nbformat.NotebookNode) -> str:
    """The language of a notebook, English by default."""
    return str(notebook.metadata.get("labkit", {}).get("language", "en"))


def _cell(cell, name: str, exercise: str | None) -> nbformat.NotebookNode:
    new = nbformat.v4.new_code_cell if cell.cell_type == "code" else nbformat.v4.new_markdown_cell
    metadata = {"labkit": {"exercise": exercise}} if exercise else {}
    if cell.metadata.get("tags"):
        metadata["tags"] = list(cell.metadata["tags"])
    return new(cell.source, id=name, metadata=metadata)


def _check_exercises(path: Path, lab: Lab, cells: list) -> None:
    asked = [exercise.name for exercise in lab.exercises]
    found = [cell.metadata["labkit"]["exercise"] for cell in cells if "labkit" in cell.metadata]
    if sorted(asked) != sorted(found):
        raise UserError(
            f"{path.name}: the lab's exercises are {', '.join(asked)}, but the source has {', '.join(found)}"
        )


def student_notebook(source: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Make the student's notebook: placeholders for answers, no outputs, no instructor-only cells."""
    notebook, language = copy.deepcopy(source), language_of(source)
    notebook.cells = [cell for cell in notebook.cells if ONLY_SOLUTION not in cell.metadata.get("tags", ())]
    for cell in notebook.cells:
        exercise = cell.metadata.get("labkit", {}).get("exercise")
        if exercise:
            frame, unwritten = (each.get(language, each["en"]) for each in (FRAMES, STUBS))
            stub = f'raise NotImplementedError("{unwritten.format(name=exercise)}")'
            cell.source = replace_answers(cell.source, frame if cell.cell_type == "markdown" else stub)
    return notebook


def solution_notebook(source: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Make the solution notebook, not yet executed, by removing the marks around answers."""
    notebook = copy.deepcopy(source)
    for cell in notebook.cells:
        cell.source = ANSWER.sub(lambda found: found["answer"].removesuffix("\n"), cell.source)
    return notebook


def script_of(notebook: nbformat.NotebookNode) -> str:
    """Write a student's notebook as a script in percent format, with each cell's id as its name. Links lead to scripts.

    A first cell makes `python SCRIPT` run the others.
    """
    import jupytext

    script = copy.deepcopy(notebook)
    for cell in script.cells:
        exercise = cell.metadata.get("labkit", {}).get("exercise")
        cell.metadata = nbformat.from_dict({"name": cell.id} | ({"exercise": exercise} if exercise else {}))
        cell.source = cell.source.replace(".ipynb", ".py")
    script.cells.insert(0, nbformat.v4.new_code_cell("from labkit.notebook import run_cells\n\nrun_cells()"))
    script.metadata = nbformat.from_dict({"jupytext": {"notebook_metadata_filter": "-all"}})
    return jupytext.writes(script, fmt="py:percent")


def answers_in(text: str) -> list[str]:
    """All answers in a cell."""
    return [found["answer"].strip("\n") for found in ANSWER.finditer(text)]


def with_answers(text: str, answers: Iterable[str]) -> str:
    """Insert these answers between the answer marks of a cell."""
    own = (answer and f"{answer}\n" for answer in answers)
    return ANSWER.sub(lambda found: f"{found['begin']}\n{next(own)}{found['end']}", text)


def replace_answers(text: str, stub: str) -> str:
    """Write `stub` in place of each answer and its marks."""
    return ANSWER.sub(lambda found: found["indent"] + stub, text)


def execute(notebook: nbformat.NotebookNode, folder: Path, source: Path) -> nbformat.NotebookNode:
    """Run a solution in a fresh kernel and keep its outputs, normalized so that they are the same every time.

    The kernel uses this Python and can import packages below `source`.
    """
    from jupyter_client.manager import AsyncKernelManager
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    from labkit.grade.kernel.nbval_bridge import CURRENT_ENV_KERNEL_NAME, NbvalKernelspecManager, coalesce_streams

    with tempfile.TemporaryDirectory(prefix="labkit-") as sockets:
        manager = AsyncKernelManager(
            kernel_name=CURRENT_ENV_KERNEL_NAME,
            kernel_spec_manager=NbvalKernelspecManager(),
            transport="ipc",
            ip=f"{sockets}/kernel",
        )
        resources = {"metadata": {"path": str(folder)}}
        client = NotebookClient(notebook, km=manager, timeout=300, resources=resources)
        # Ignore widgets, whose outputs are dropped anyway. By default, nbclient answers them like a front end; a message
        # that it sends while waiting for a reply can make it miss the reply and time out.
        client.comm_open_handlers["jupyter.widget"] = lambda message: None
        path = os.pathsep.join(filter(None, (str(source), os.environ.get("PYTHONPATH"))))
        variables = {**os.environ, "PYTHONPATH": path}
        try:
            # By default, nbclient leaves a kernel running if it was given the manager.
            client.execute(cleanup_kc=True, env=variables)
        except CellExecutionError as error:
            errors = ((each.output_type, cell.id) for cell in notebook.cells for each in cell.get("outputs", ()))
            name = notebook.metadata["labkit"]["lab"]
            raise UserError(
                f"{name}.py, cell {dict(errors)['error']}: {error.ename}: {' '.join(error.evalue.split())}"
            ) from None
    notebook.metadata = nbformat.from_dict({**copy.deepcopy(KERNEL), "labkit": dict(notebook.metadata["labkit"])})
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = coalesce_streams(cell.outputs)
            if WIDGET in cell.metadata.get("tags", ()):
                cell.outputs, cell.execution_count = [], None
    return notebook


def text_of(notebook: nbformat.NotebookNode) -> str:
    """Serialize a notebook. The same content always gives the same text."""
    nbformat.validate(notebook)
    return nbformat.writes(notebook, version=4, indent=1, sort_keys=True) + "\n"
