"""Write the release for students: the labs in each language, as notebooks and as scripts, wheels, and an environment.

The wheels of labkit and of the course are written from their files. A README explains how to start, and AGENTS.md what an AI assistant may do.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from email.message import Message
from functools import partial
from importlib.metadata import Distribution, distribution
from pathlib import Path
from string import Template

import nbformat

import labkit
from labkit.author.source.percent import script_of
from labkit.student.judging.words import words_in
from labkit.student.model.course import PART, Lab, part_of
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project

REQUIREMENTS, WRITTEN = "requirements.txt", "# Written by `labkit release`"
AGENTS = "AGENTS.md"
# Of a release, besides the READMEs and the requirements.
PARTS = ("labs", "scripts", "wheels", "environment.yml", AGENTS)
DISTRIBUTION = "nblabkit"
WHEEL = "Wheel-Version: 1.0\nGenerator: labkit\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
EPOCH = (1980, 1, 1, 0, 0, 0)  # fixed, so that the same input gives the same bytes
JUPYTERLAB = "jupyterlab>=4.2"  # used unless the course's `lab` extra names a version


def write_release(project: Project, labs: Sequence[Lab], out: Path) -> list[Path]:
    """Write the release, completely or not at all. It replaces an earlier release. Returns its files.

    Errors: UserError, OSError.
    """
    with replacing(out, _ours, "labkit release") as made:
        _write(project, labs, made)
    return sorted(path for part in _ours(out) for path in (part.rglob("*") if part.is_dir() else [part]))


@contextmanager
def replacing(out: Path, ours: Callable[[Path], Iterable[Path]], command: str) -> Iterator[Path]:
    """Yield a new folder. At the end, its contents replace the files in `out` that the command wrote earlier.

    ours: lists these files. Errors: UserError if `out` has files, but none of these; OSError.
    """
    if out.is_dir() and any(out.iterdir()) and not ours(out):
        raise UserError(f"{out}: not empty, and not written by `{command}`; choose a new folder")
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".labkit-", dir=out) as making:
        made, former = Path(making, "new"), Path(making, "former")
        made.mkdir()
        former.mkdir()
        yield made
        for path in ours(out):
            if path != Path(making):
                path.rename(former / path.name)
        for path in sorted(made.iterdir()):
            path.rename(out / path.name)


def _ours(out: Path) -> list[Path]:
    """Files written by an earlier release."""
    listed = out / REQUIREMENTS
    if not (listed.is_file() and listed.read_text("utf-8", "replace").startswith(WRITTEN)):
        return []
    return [listed, *(out / part for part in PARTS if (out / part).exists()), *sorted(out.glob("README*.md"))]


def _write(project: Project, labs: Sequence[Lab], out: Path) -> None:
    editions = copy_labs(project, labs, out / "labs")
    (out / "wheels").mkdir()
    wheels = [write_wheel(out / "wheels"), write_course_wheel(project, labs, out / "wheels")]
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


def write_wheel(folder: Path) -> Path:
    """Write a wheel of this labkit, installed or checked out, with its requirements. Returns its path. Errors: OSError."""
    installed = distribution(DISTRIBUTION)
    files = dict(_files_below(Path(labkit.__file__).parent))
    metadata = {name: (installed.read_text(name) or "").encode() for name in ("METADATA", "entry_points.txt")}
    return _write_wheel(folder, DISTRIBUTION, installed.version, files, metadata)


def write_course_wheel(project: Project, labs: Iterable[Lab], folder: Path) -> Path:
    """Write a wheel of what the kernels of these labs can import from the course's source folder. Returns its path.

    The local part of its version names the labs, if they are not all. Errors: OSError, UserError.
    """
    environments = [project.course.environment_of(lab.name) for lab in labs]
    used = {name for environment in environments for name in environment.labs}
    names = [name for name in project.course.names if name in used]
    packages = sorted({name for environment in environments for name in environment.packages} - {project.package})
    files = dict(_files_of_course(project, names))
    files |= dict(pair for package in packages for pair in _files_below(project.source / package))
    stated = project.metadata
    name, version = stated.get("name") or project.package, project.version or "0"
    if names != [*project.course.names]:
        version += f"+labs.{'.'.join(name[:2] for name in names)}"
    fields = [("Metadata-Version", "2.1"), ("Name", name), ("Version", version)]
    fields += [("Summary", stated["description"])] if stated.get("description") else []
    fields += [("Requires-Python", stated["requires-python"])] if stated.get("requires-python") else []
    fields += [("Requires-Dist", line) for line in stated.get("dependencies", [DISTRIBUTION])]
    message = Message()
    for field, value in fields:
        message[field] = value
    return _write_wheel(folder, name, version, files, {"METADATA": message.as_bytes()})


def write_installed_wheel(installed: Distribution, folder: Path) -> Path:
    """Write a wheel of an installed pure-Python package. Returns its path. Errors: OSError."""
    files = {}
    for file in installed.files or ():
        if ".." not in file.parts and "__pycache__" not in file.parts and not file.parts[0].endswith(".dist-info"):
            files[file.as_posix()] = Path(str(file.locate())).read_bytes()
    metadata = {"METADATA": (installed.read_text("METADATA") or "").encode()}
    return _write_wheel(folder, installed.metadata["Name"], installed.version, files, metadata)


def _files_of_course(project: Project, labs: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """The files of the course's package, without the folders of other labs."""
    package, names = project.source / project.package, project.course.names
    wanted = {path.name for path in part_of(package, names, labs)}
    yield from ((name, content) for name, content in _files_below(package) if name.split("/")[1] in wanted)
    if len(labs) < len(names):
        yield f"{project.package}/{PART}", "\n".join(labs).encode()


def _files_below(package: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(package.rglob("*")):
        parts = path.relative_to(package.parent).parts
        if path.is_file() and "__pycache__" not in parts and not any(part.startswith(".") for part in parts):
            yield "/".join(parts), path.read_bytes()


def _write_wheel(
    folder: Path, name: str, version: str, files: Mapping[str, bytes], metadata: Mapping[str, bytes]
) -> Path:
    stem = f"{name.replace('-', '_')}-{version}"
    info = f"{stem}.dist-info"
    content = dict(files)
    content |= {f"{info}/{each}": text for each, text in metadata.items()}
    content[f"{info}/WHEEL"] = WHEEL.encode()
    record = "".join(f"{each},{_digest(text)},{len(text)}\n" for each, text in content.items())
    content[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    path = folder / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for each, text in content.items():
            entry = zipfile.ZipInfo(each, EPOCH)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            wheel.writestr(entry, text)
    return path


def _digest(content: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
