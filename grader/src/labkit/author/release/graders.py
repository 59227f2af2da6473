"""Write releases for other graders: a course tree for nbgrader, and an autograder zip for each lab for Gradescope.

In the tree, answers become solution cells, written answers are graded by hand, and cells that answers depend on are locked. A lab ends
with a test cell for each check with points. It calls the check in a hidden test, so students see only a comment. The check itself is
in the tree's copy of the course, which students do not get.

Gradescope unpacks a zip into /autograder/source, runs setup.sh once, and copies run_autograder to /autograder, where it runs for
every submission.
"""

from __future__ import annotations

import hashlib
import re
import shlex
import shutil
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import nbformat

from labkit.author.release.students import DISTRIBUTION, write_wheel
from labkit.author.source.percent import ONLY_SOLUTION, framed, read_source, text_of
from labkit.grade.batch.course_check import must_be_right
from labkit.grade.intake.answer_cells import WRITE_HERE
from labkit.grade.intake.handout import SETUP
from labkit.grade.judge.judge import judge_file
from labkit.grade.judge.results import Check
from labkit.student.calls.state import STUB
from labkit.student.model.course import Lab
from labkit.student.model.errors import UserError
from labkit.student.model.project import MANIFEST, Project
from labkit.student.model.text import in_points

CONFIG, WRITTEN = "nbgrader_config.py", "Written by `labkit release`"
SECONDS = 60  # per cell; a test cell stops an endless answer after 20, and nbgrader's default is 30
TEST = """# {exercise}: {name}, {points}. Your instructor runs this test; there is nothing to do here.
### BEGIN HIDDEN TESTS
from labkit.grade.judge.in_kernel import points_of
points_of("{lab}", "{check}")
### END HIDDEN TESTS"""
LEFT_OUT = ("__pycache__", "*.egg-info", ".*")  # of a copy of the course
EXECUTABLE = 0o755 << 16  # file mode in a zip


def write_tree(project: Project, labs: Sequence[Lab], seed: int, out: Path) -> None:
    """Write the tree into an existing folder. Replaces files from an earlier release and keeps all others.

    Errors: UserError, OSError.
    """
    with tempfile.TemporaryDirectory(prefix=".labkit-release-", dir=out) as making:
        made = Path(making)
        for lab in labs:
            folder = made / "source" / lab.name
            folder.mkdir(parents=True)
            (folder / f"{lab.name}.ipynb").write_text(text_of(source_notebook(project, lab)), "utf-8")
        copy_parts(project, made / "course")
        source = project.source.relative_to(project.root).as_posix()
        facts = {"SEED": seed, "SECONDS": SECONDS, "STUB": STUB, "WRITE_HERE": WRITE_HERE, "SOURCE": source}
        quoted = {name: repr(value) for name, value in facts.items()}
        (made / CONFIG).write_text(_filled("nbgrader_config.txt", quoted), "utf-8")
        (out / "source").mkdir(exist_ok=True)
        for number, name in enumerate([*(f"source/{lab.name}" for lab in labs), "course", CONFIG]):
            if (out / name).exists():
                (out / name).rename(made / f"former-{number}")
            (made / name).rename(out / name)


def _filled(template: str, facts: Mapping[str, str]) -> str:
    """Replace each <NAME> in a file next to this one."""
    text = Path(__file__).with_name(template).read_text("utf-8")
    return re.sub("<([A-Z_]+)>", lambda found: facts[found[1]], text)


def copy_parts(project: Project, to: Path) -> None:
    """Copy the course into a new folder: released labs, solutions, tests and sources. Errors: OSError."""
    for folder in (project.labs, project.solutions, project.source):
        shutil.copytree(folder, to / folder.relative_to(project.root), ignore=shutil.ignore_patterns(*LEFT_OUT))
    for path in project.autograder_files():
        copy = to / path.relative_to(project.root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    shutil.copy(project.root / MANIFEST, to)


def may_be_written(out: Path) -> None:
    """Check that only files from an earlier `labkit release` would be replaced. Errors: UserError."""
    config = out / CONFIG
    ours = config.is_file() and WRITTEN in config.read_text("utf-8", "replace")
    taken = [name for name in ("source", "course", CONFIG) if (out / name).exists()]
    if taken and not ours:
        raise UserError(f"{out}: {taken[0]} was not written by `labkit release`; choose a new folder")


def source_notebook(project: Project, lab: Lab) -> nbformat.NotebookNode:
    """Build the lab with nbgrader's marks around the answers, and add its test cells. Errors: UserError."""
    source = read_source(project.solutions / f"{lab.name}.py", lab)
    notebook = framed(replace(project, hand_in=""), source)  # nbgrader collects the notebooks itself
    notebook.cells = [_cell(cell, lab) for cell in notebook.cells if ONLY_SOLUTION not in cell.metadata.get("tags", ())]
    solved = judge_file(project, project.solutions / f"{lab.name}.ipynb", "")
    must_be_right(project.course, solved)
    notebook.cells += [_test_cell(lab, check, worth) for check in solved.checks if (worth := solved.max_points(check))]
    return notebook


def _cell(cell: nbformat.NotebookNode, lab: Lab) -> nbformat.NotebookNode:
    name = cell.metadata.get("labkit", {}).get("exercise")
    if name:
        cell.source = cell.source.replace("BEGIN ANSWER", "BEGIN SOLUTION").replace("END ANSWER", "END SOLUTION")
        exercise = next(each for each in lab.exercises if each.name == name)
        by_hand = {"grade": True, "points": exercise.points} if exercise.written else {}
        cell.metadata["nbgrader"] = _role(cell.id, solution=True, **by_hand)
    elif cell.id == SETUP:
        cell.metadata["nbgrader"] = _role(cell.id, locked=True)
    return cell


def _test_cell(lab: Lab, check: Check, worth: float) -> nbformat.NotebookNode:
    name, points = check.name.replace("_", " "), f"{in_points(worth)} point{'s' * (worth != 1)}"
    source = TEST.format(lab=lab.name, exercise=check.exercise, check=check.name, name=name, points=points)
    id = f"test_{_as_id(check.name)}"
    role = _role(id, grade=True, locked=True, points=worth)
    return nbformat.v4.new_code_cell(source, id=id, metadata={"nbgrader": role})


def _as_id(check: str) -> str:
    """Make an id from a check's name. A digest keeps apart names that differ only in characters that an id cannot contain."""
    plain = re.sub(r"[^a-zA-Z0-9_]", "-", check)[:45]
    return plain if plain == check else f"{plain}-{hashlib.sha256(check.encode()).hexdigest()[:8]}"


def _role(id: str, **role: object) -> dict:
    usual = dict.fromkeys(("grade", "solution", "locked", "task"), False)
    return {"grade_id": id, "schema_version": 3, **usual, **role}


def write_zips(project: Project, labs: Iterable[Lab], seed: int, allow_unsandboxed: bool, out: Path) -> Iterator[Path]:
    """Write each zip atomically, and yield its path. Errors: OSError, UserError."""
    with tempfile.TemporaryDirectory(prefix=".labkit-release-", dir=out) as making:
        made = Path(making)
        write_wheel(made)
        (made / "requirements.txt").write_text(requirements(project), "utf-8")
        copy_parts(project, made / "course")
        secret = [path.relative_to(project.root).as_posix() for path in (project.autograder, project.solutions)]
        files = [path for path in sorted(made.rglob("*")) if path.is_file()]
        for lab in labs:
            facts = {
                "LAB": lab.name,
                "SEED": str(seed),
                "CONSENT": "--allow-unsandboxed" if allow_unsandboxed else "",
                "SECRET": shlex.join(f"course/{name}" for name in secret),
            }
            unfinished = made / f"{lab.name}.part"
            with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as archive:
                for name in ("setup.sh", "run_autograder"):
                    info = zipfile.ZipInfo(name)
                    info.external_attr = EXECUTABLE
                    archive.writestr(info, _filled(f"{name}.txt", facts), zipfile.ZIP_DEFLATED)
                for path in files:
                    archive.write(path, path.relative_to(made).as_posix())
            yield unfinished.rename(out / f"{lab.name}.zip")


def requirements(project: Project) -> str:
    """The requirements in the course's `pyproject.toml`, one per line, without labkit. Errors: OSError, UserError."""
    stated = project.metadata.get("dependencies", [])
    return "".join(f"{line}\n" for line in stated if re.match(r"[\w.-]*", line)[0] != DISTRIBUTION)
