"""Write the release for students: the labs in each language, as notebooks and as scripts, wheels, and an environment.

A README explains how to start, and AGENTS.md what an AI assistant may do.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from string import Template

import nbformat

from labkit.author.release.parts import write_course_wheel, write_wheel
from labkit.author.source.percent import script_of
from labkit.student.judging.words import words_in
from labkit.student.model.course import Lab
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project

REQUIREMENTS, WRITTEN = "requirements.txt", "# Written by `labkit release`"
AGENTS = "AGENTS.md"
# Of a release, besides the READMEs and the requirements.
PARTS = ("labs", "scripts", "wheels", "environment.yml", AGENTS)
JUPYTERLAB = "jupyterlab>=4.2"  # used unless the course's `lab` extra names a version


def write_release(project: Project, labs: Sequence[Lab], out: Path) -> list[Path]:
    """Write the release into an existing folder, completely or not at all. It replaces an earlier release. Returns its files.

    Errors: UserError, OSError.
    """
    with tempfile.TemporaryDirectory(prefix=".labkit-release-", dir=out) as making:
        made, former = Path(making, "new"), Path(making, "former")
        made.mkdir()
        former.mkdir()
        _write(project, labs, made)
        for path in _ours(out):
            path.rename(former / path.name)
        for path in sorted(made.iterdir()):
            path.rename(out / path.name)
    return sorted(path for part in _ours(out) for path in (part.rglob("*") if part.is_dir() else [part]))


def may_be_written(out: Path) -> None:
    """Check that the folder contains only an earlier release. Errors: UserError."""
    if out.is_dir() and any(out.iterdir()) and not _ours(out):
        raise UserError(f"{out}: not empty, and not written by `labkit release`; choose a new folder")


def _ours(out: Path) -> list[Path]:
    """Files written by an earlier release."""
    listed = out / REQUIREMENTS
    if not (listed.is_file() and listed.read_text("utf-8", "replace").startswith(WRITTEN)):
        return []
    return [listed, *(out / part for part in PARTS if (out / part).exists()), *sorted(out.glob("README*.md"))]


def _write(project: Project, labs: Sequence[Lab], out: Path) -> None:
    editions = copy_labs(project, labs, out / "labs")
    (out / "wheels").mkdir()
    wheels = [write_wheel(out / "wheels"), course_wheel(project, labs, out / "wheels")]
    stated = project.metadata
    lab_tool = [*stated.get("optional-dependencies", {}).get("lab", []), JUPYTERLAB][0]
    lines = [
        f"{WRITTEN}. Run in this folder: pip install -r {REQUIREMENTS}",
        *(f"./wheels/{each.name}" for each in wheels),
    ]
    (out / REQUIREMENTS).write_text("\n".join([*lines, lab_tool, ""]), "utf-8")
    name = stated.get("name") or project.package
    python = stated.get("requires-python", ">=3.11")
    environment = f"name: {name}\nchannels:\n  - conda-forge\ndependencies:\n  - python{python}\n  - pip\n  - pip:\n"
    (out / "environment.yml").write_text(f"{environment}      - -r {REQUIREMENTS}\n", "utf-8")
    for place, (language, notebooks) in enumerate(editions.items()):
        title = project.translated(language, "description", stated.get("description") or name)
        scripts = [_write_script(path, out) for path in notebooks]
        page = partial(_page, language, out, name=name, title=title, notebooks=notebooks, scripts=scripts)
        (out / f"README{f'.{language}' if place else ''}.md").write_text(page("readme"), "utf-8")
        for folder in (notebooks[0].parent, scripts[0].parent) if place else (out,):
            (folder / AGENTS).write_text(page("agents"), "utf-8")


def _write_script(notebook: Path, out: Path) -> Path:
    """Write a notebook of the release as a script too, in a folder for scripts. Returns its path."""
    script = (out / "scripts" / notebook.relative_to(out / "labs")).with_suffix(".py")
    script.parent.mkdir(parents=True, exist_ok=True)
    script.write_text(script_of(nbformat.read(notebook, as_version=4)), "utf-8")
    return script


def copy_labs(project: Project, labs: Iterable[Lab], to: Path) -> dict[str, list[Path]]:
    """Copy the labs' notebooks, in the course's layout. Returns the copies by language. Errors: UserError, OSError."""
    copies: dict[str, list[Path]] = {}
    for lab in labs:
        editions = project.editions_of(lab.name)
        if project.languages[0] not in editions:
            missing = project.below(project.labs / f"{lab.name}.ipynb")
            raise UserError(f"{missing} is missing: run `labkit build {lab.name[:2]}`")
        for language, path in editions.items():
            copy = to / path.relative_to(project.labs)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
            copies.setdefault(language, []).append(copy)
    return copies


def course_wheel(project: Project, labs: Iterable[Lab], folder: Path) -> Path:
    """Write a wheel of what the kernels of these labs can import from the course's source folder."""
    environments = [project.course.environment_of(lab.name) for lab in labs]
    used = {name for environment in environments for name in environment.labs}
    names = [name for name in project.course.names if name in used]
    label = "" if names == [*project.course.names] else f"labs.{'.'.join(name[:2] for name in names)}"
    packages = sorted({name for environment in environments for name in environment.packages} - {project.package})
    return write_course_wheel(project, packages, folder, names, label)


def heading_of(notebook: Path) -> str:
    """A lab's title, which is its first heading."""
    for cell in json.loads(notebook.read_bytes())["cells"]:
        if found := re.search(r"^# (.+)$", "".join(cell["source"]), re.MULTILINE):
            return found[1]
    return notebook.stem


def _page(
    language: str, out: Path, kind: str, *, name: str, title: str, notebooks: Sequence[Path], scripts: Sequence[Path]
) -> str:
    words = words_in(Path(__file__).parent)
    links = [f"- [{heading_of(path)}]({path.relative_to(out).as_posix()})" for path in notebooks]
    first, script = (paths[0].relative_to(out).as_posix() for paths in (notebooks, scripts))
    text = Template(words.get(language, words["en"])[kind]).substitute(
        name=name, title=title, first=first, script=script, labs="\n".join(links)
    )
    return text.lstrip()
