"""`labkit new` creates a small course to start from; `labkit new-lab` adds a lab with an example exercise to replace."""

from __future__ import annotations

import ast
import json
import keyword
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from labkit.student.model.course import Course, folder_of
from labkit.student.model.errors import UserError
from labkit.student.model.project import Project

TEMPLATES = Path(__file__).with_name("template")
NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
MOST = 99  # a lab's number has two digits


def new_course(folder: Path) -> str:
    """Create a course in a new or empty folder, and return its package's name. Errors: UserError, OSError."""
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder}: a file with this name already exists")
    if folder.exists() and any(folder.iterdir()):
        raise UserError(f"{folder}: this folder is not empty; choose a new one")
    package = package_name(folder.absolute().name)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".labkit-new-", dir=folder.parent) as making:
        made = Path(making, "course")
        for path, text in filled("course", {"my_labs": package}):
            target = made / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, "utf-8")
        if folder.exists():
            folder.rmdir()
        shutil.move(made, folder)
    return package


def filled(template: str, words: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
    """Yield the path and text of each template file, after replacing `words` in both."""
    folder, any_word = TEMPLATES / template, re.compile("|".join(map(re.escape, words)))
    replaced = partial(any_word.sub, lambda found: words[found[0]])
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"):
        yield Path(replaced(str(path.relative_to(folder)))), replaced(path.read_text("utf-8"))


def package_name(name: str) -> str:
    """Derive a package name from a folder name, such as demo_labs from demo, and avoid names of installed packages."""
    plain = re.sub(r"\W+", "_", name.lower(), flags=re.ASCII).strip("_")
    plain = plain if plain.endswith("labs") else f"{plain}_labs".lstrip("_")
    plain = plain if plain.isidentifier() else f"the_{plain}"
    taken = find_spec(plain)
    return f"{plain}_course" if taken and taken.origin else plain


def new_lab(project: Project, name: str) -> list[Path]:
    """Add a lab after the last one and return its files. After an error (UserError, OSError) the course is unchanged."""
    _must_be_a_name(name)
    number = 1 + max((int(lab[:2]) for lab in project.course.names), default=0)
    if number > MOST:
        raise UserError(f"{project.root}: a course has at most {MOST} labs")
    lab = f"{number:02}_{name}"
    package = project.source / project.package
    places = {
        "solutions": project.solutions / f"{lab}.py",
        "package": package / name,
        "autograder": project.autograder_of(lab),
    }
    for place in (*places.values(), package / f"{name}.py", project.autograder / f"{name}.py"):
        if place.exists():
            raise UserError(f"{project.below(place)} already exists: choose another name")
    stating = package / "__init__.py"
    labs = _with_lab(stating.read_text("utf-8"), project.course, lab)
    if labs is None:
        raise UserError(
            f"{project.below(stating)}: list all labs as quoted names in a single call to open_course(__name__, …)"
        )
    with tempfile.TemporaryDirectory(prefix=".labkit-new-", dir=package) as making:
        made = Path(making)
        files = [places[part] / rest for part, rest in _write(made, project, lab)]
        (made / "labs").write_text(labs, "utf-8")
        shutil.copymode(stating, made / "labs")
        _put({made / part: place for part, place in places.items()}, made / "labs", stating)
    return files


def _must_be_a_name(name: str) -> None:
    if re.match(r"\d\d_", name):
        raise UserError(f"{name}: leave out the number; a new lab comes after the last one")
    if not NAME.fullmatch(name):
        raise UserError(f"{name!r} cannot be a lab's name: use up to 40 of a-z, 0-9 and _, starting with a letter")
    if keyword.iskeyword(name) or name == "samples":
        raise UserError(f"{name} is a reserved name: choose another")


def _write(made: Path, project: Project, lab: str) -> Iterator[tuple[str, str]]:
    """Write a lab's files from the template into the folder `made`.

    Yields each file's part (solutions, package or autograder) and its path in that part.
    """
    number, name = lab[:2], folder_of(lab)
    title = name.replace("_", " ")
    words = {
        "my_labs": project.package,
        "00_blank": lab,
        "00 · Blank": f"{number} · {title.capitalize()}",
        "Lab 00, blank": f"Lab {number}, {title}",
        "A title": title.capitalize(),
        "blank": name,
    }
    for path, text in filled("lab", words):
        part, *rest = path.parts
        target = made / part if part == "solutions" else made / path  # solutions has a single file
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
        yield part, "" if part == "solutions" else "/".join(rest)


def _put(parts: dict[Path, Path], labs: Path, stating: Path) -> None:
    """Move the new lab's files into the course, then add the lab to the course's list. On an error, remove the files again."""
    put: list[Path] = []
    try:
        for part, place in parts.items():
            put.append(place)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(part, place)
        os.replace(labs, stating)
    except BaseException:
        for place in put:
            shutil.rmtree(place, ignore_errors=True) if place.is_dir() else place.unlink(missing_ok=True)
        raise


def _with_lab(source: str, course: Course, lab: str) -> str | None:
    """Add a lab to the list in the course's package. Returns None if the list is not in the expected form."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call) and _opens(node.func)]
    if len(calls) != 1 or calls[0].keywords:
        return None
    listed = [getattr(argument, "value", None) for argument in calls[0].args[1:]]
    if listed != [*course.names]:
        return None
    last = calls[0].args[-1]
    alone = last.lineno != calls[0].lineno  # whether each lab is on its own line
    lines = source.encode().splitlines(keepends=True)
    line = lines[last.end_lineno - 1]
    between = "\n" + " " * last.col_offset if alone else " "
    added = f",{between}{json.dumps(lab)}".encode()
    lines[last.end_lineno - 1] = line[: last.end_col_offset] + added + line[last.end_col_offset :]
    return b"".join(lines).decode()


def _opens(called: ast.expr) -> bool:
    return getattr(called, "id", getattr(called, "attr", None)) == "open_course"
