"""The walls of the house: rooms import what lies below them, the grader no course, no lab another, and tests keep to theirs."""

import ast
from collections.abc import Iterator, Set
from functools import cache
from pathlib import Path

import pytest

from labkit import course, project

# From the ground up.
ROOMS = (
    ("budgets", "course", "project", "text"),
    ("judging",),
    ("sandbox",),
    ("calls",),
    ("notebook",),
    ("authoring",),
    ("intake",),
    ("kernel",),
    ("jupyter",),
    ("grading",),
    ("desk",),
    ("reports",),
    ("release",),
    ("doctor",),
    ("cli",),
    ("__main__",),
)
LABKIT, COURSE = project.current().root / "grader/src/labkit", project.current().source / "encoding_labs"
HEIGHT = {room: height for height, rooms in enumerate(ROOMS) for room in rooms}


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Every module that a file imports, at its top or later, with the names that it takes from it."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room_of(path: Path) -> str:
    return path.relative_to(LABKIT).parts[0].removesuffix(".py")


FILES = sorted(
    path
    for path in LABKIT.rglob("*.py")
    if "template" not in path.parts and (path.name != "__init__.py" or path.parent != LABKIT)
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(LABKIT)))
def test_a_room_imports_only_what_lies_below_it(path):
    room = room_of(path)
    assert room in HEIGHT, f"no room of the plan: {room}"
    for name in imports(path):
        package, _, rest = name.partition(".")
        if package == "labkit":
            other = rest.split(".")[0]
            below = HEIGHT.get(other, -1) < HEIGHT[room] or other == room or HEIGHT[room] == 0
            assert below, f"{room} imports {name}, which lies above it"
        assert package not in ("encoding_labs", "minimodel", "reference"), f"{room} imports {name}"


SHARED = {path.stem for path in COURSE.glob("*.py")}  # what stands beside the labs is for all of them
LABS = sorted(path for path in COURSE.rglob("*.py") if path.parent != COURSE)


@pytest.mark.parametrize("path", LABS, ids=lambda path: str(path.relative_to(COURSE)))
def test_no_lab_imports_another_and_none_what_only_graders_have(path):
    lab = path.parent.name
    for name in imports(path):
        parts = name.split(".")
        assert parts[0] != "encoding_labs" or parts[1] in (lab, *SHARED), f"{lab} imports {name}"
        assert parts[0] != "labkit" or HEIGHT[parts[1]] <= HEIGHT["notebook"], f"{lab} imports {name}"
        assert parts[0] not in ("reference", "solutions", "mistaken")


def test_the_locked_module_imports_nothing_of_ours():
    for path in (project.current().source / "minimodel").rglob("*.py"):
        assert not [name for name in imports(path) if name.split(".")[0] in ("labkit", "encoding_labs")]


def test_tests_of_the_grader_name_nothing_of_this_course():
    """They run on a course of their own, so that labs may change without them."""
    words = ("encoding_labs", "minimodel", "sinusoidal", *(name[3:] for name in course.current().names))
    below = (project.current().root / "grader/tests/labkit").rglob("*")
    files = [path for path in below if path.is_file() and path.suffix != ".pyc"]
    named = [(path.name, word) for path in files for word in words if word in path.read_text("utf-8").lower()]
    assert len(files) > 50 and not named


@cache
def arrows() -> frozenset[tuple[str, str]]:
    """Which package or room imports which, without those that follow from others."""
    found = set()
    for path in FILES:
        below = {name.split(".")[1] for name in imports(path) if name.startswith("labkit.")}
        found |= {(room_of(path), other) for other in below if other in HEIGHT and other != room_of(path)}
    for path in sorted(COURSE.rglob("*.py")):
        found |= {("encoding_labs", name.split(".")[1]) for name in imports(path) if name.startswith("labkit.")}
    plain = {(GROUND.get(one, one), GROUND.get(other, other)) for one, other in found}
    plain = {(one, other) for one, other in plain if one != other}
    return frozenset(arrow for arrow in plain if not _leads(plain - {arrow}, *arrow))


GROUND = dict.fromkeys(ROOMS[0], "course")  # what stands on the ground is one room in the picture


def _leads(arrows: Set[tuple[str, str]], one: str, other: str) -> bool:
    reached, waiting = set(), [one]
    while waiting:
        here = waiting.pop()
        further = {there for start, there in arrows if start == here} - reached
        reached |= further
        waiting += further
    return other in reached


def test_the_readmes_picture_shows_what_is_imported():
    readme = (project.current().root / "grader/README.md").read_text("utf-8")
    drawn = "\n".join(f"    {one} --> {other}" for one, other in sorted(arrows()))
    block = f"```mermaid\nflowchart TD\n{drawn}\n```"
    assert block in readme, f"put this into the README in place of its picture:\n{block}"


def test_the_picture_has_no_circle():
    assert not [one for one, _ in arrows() if _leads(arrows(), one, one)]
